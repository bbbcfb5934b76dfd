import { describe, expect, test } from 'vitest';
import { readRun } from '../../src/storage/runs';
import { recoverAll } from '../../src/worker/recovery';
import { settle } from '../support/generation';
import { message, pairOfTabs, pairWithRun } from '../support/tabs/pair';

/** So long is a silent worker asked whether it is there, and so long again until it is given up. */
const PATIENCE_MS = 2500;

describe('a frozen tab that owns the conversation', () => {
  test('is given up after five seconds; what it was asked is taken back and not done when it thaws', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    left.freeze();
    const asked = expect(right.run('stop', { conversationId })).rejects.toMatchObject({ code: 'owner-silent', details: { frozen: true } });
    for (let half = 0; half < 2; half++) {
      await settle();
      right.clock.advance(PATIENCE_MS);
    }
    await asked;
    left.thaw();
    await settle();
    expect(answer.isAborted).toBe(false);
    answer.finish();
    await left.until('run-end');
  });

  test('is waited for when it says that it is there', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    left.freeze();
    const asked = right.run('stop', { conversationId });
    await settle();
    right.clock.advance(PATIENCE_MS);
    await settle();
    right.clock.advance(PATIENCE_MS - 1);
    left.thaw();
    expect(await asked).toBeNull();
    expect(answer.isAborted).toBe(true);
  });

  test('keeps nobody from looking: the stored answer is all there is to see, and the rest comes when it thaws', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    left.freeze();
    const watching = right.run('watch', { conversationId });
    for (let half = 0; half < 2; half++) {
      await settle();
      right.clock.advance(PATIENCE_MS);
    }
    expect(await watching).toBeNull();
    left.thaw();
    answer.text(' more');
    await settle();
    left.clock.advance(200);
    await right.until('run-delta');
  });
});

describe('a frozen tab that owns nothing', () => {
  test('any more, when it is asked as the owner that it was, is passed over', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    answer.finish();
    await left.until('run-end');
    left.freeze();
    const sent = right.run('send', { conversationId, ...message('And now?') });
    await settle();
    left.clock.advance(5000);
    right.provider.next().text('Mine').finish();
    for (let waitedMs = 0; waitedMs < 3 * PATIENCE_MS; waitedMs += 100) {
      await settle();
      right.clock.advance(100);
    }
    expect(await sent).toMatchObject({ conversationId });
    await right.until('run-end', 2);
  });

  test('is handed no lock that it once wanted', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    await recoverAll(right.context, right.locks);
    right.freeze();
    answer.finish();
    await left.until('run-end');
    left.clock.advance(5000);
    left.provider.next().text('Here').finish();
    await left.run('send', { conversationId, ...message('And now?') });
    await left.until('run-end', 2);
  });

  test('keeps nobody from hearing that another one died', async () => {
    const { left, right, locks } = await pairOfTabs();
    // Whoever waits exclusively stands in the way of those behind it; a frozen one would for as long as it sleeps.
    const heard: string[] = [];
    const sleeper = locks.forWorker('sleeper');
    void sleeper.whenFree('worker:a').then(() => heard.push('sleeper'));
    void right.locks.whenFree('worker:a').then(() => heard.push('b'));
    left.kill();
    await settle();
    expect(heard).toContain('b');
  });
});

describe('a frozen tab whose locks the browser gives to others', () => {
  async function robbed() {
    const setup = await pairWithRun();
    setup.left.clock.advance(1000);
    await settle();
    setup.left.freeze();
    setup.left.rob();
    await setup.right.until('run-end');
    return setup;
  }

  test('writes no word over what they made of its answer, and stops asking for more', async () => {
    const { left, right, answer, conversationId, branch } = await robbed();
    const next = right.provider.next().text('Other');
    await right.run('send', { conversationId, ...message('Go on') });
    await right.provider.asked(1);
    left.thaw();
    answer.text(' a word too late');
    await settle();
    left.clock.advance(1000);
    await settle();
    expect(answer.isAborted).toBe(true);
    expect(await readRun(right.database, conversationId)).toMatchObject({
      nodeId: right.context.sessions.find(conversationId)?.running?.publisher.snapshot().nodeId,
    });
    next.finish();
    await right.until('run-end', 2);
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted u:Go on/complete a:Other/complete');
  });

  test('that finishes its answer only then changes nothing, and what the others told of its end stays true', async () => {
    const { left, answer, conversationId, branch } = await robbed();
    left.thaw();
    answer.text(' a word too late').finish();
    while (left.context.sessions.find(conversationId)?.running !== undefined) await settle();
    expect(left.told.filter((one) => one.name === 'run-end').map((one) => one.payload)).toMatchObject([
      { status: 'interrupted', excerpt: 'Half' },
    ]);
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted');
  });

  test('does nothing of what it is asked then: it finds that it is no owner, and its page starts another worker', async () => {
    const { left, right, conversationId, branch } = await robbed();
    right.provider.next().text('Other');
    await right.run('send', { conversationId, ...message('Go on') });
    await right.provider.asked(1);
    left.thaw();
    const sent = left.run('send', { conversationId, ...message('And on') }).catch(() => null);
    for (let turn = 0; turn < 200; turn++) {
      await settle();
      left.clock.advance(50);
    }
    expect(await sent).toBeNull();
    expect(left.provider.requests).toHaveLength(1);
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted u:Go on/complete a:/running');
  });

  test('and that had no answer on its way takes the one of its successor for no dead one', async () => {
    const { left, right, branch } = await pairOfTabs();
    const { conversationId, nodeId } = await left.run('send', { conversationId: null, ...message('Tell'), answer: false });
    left.freeze();
    left.rob();
    const answer = right.provider.next().text('Other');
    await right.run('send', { conversationId, ...message('Go on') });
    await right.provider.asked(1);
    left.thaw();
    // It was the owner a moment ago, so it does not look for another one first.
    const asked = left.run('regenerate', { conversationId, nodeId, model: null }).catch(() => null);
    await settle();
    expect(left.told.filter((one) => one.name === 'run-end')).toEqual([]);
    answer.finish();
    await right.until('run-end');
    expect(await branch(conversationId)).toContain('a:Other/complete');
    void asked;
  });
});
