import { describe, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/core/protocol';
import { textOf } from '../../src/core/node';
import { recoverAll } from '../../src/worker/recovery';
import { readTree } from '../../src/storage/tree';
import { readRuns } from '../../src/storage/runs';
import { settle } from '../support/generation';
import { message, pairOfTabs, pairWithRun } from '../support/tabs/pair';

describe('two tabs on one conversation', () => {
  test('a new conversation has an id of its own, and the same one when its first message comes again', async () => {
    const { left } = await pairOfTabs();
    const first = { conversationId: null, ...message('Tell'), answer: false };
    const { conversationId } = await left.run('send', first);
    expect(conversationId).not.toBe(first.messageId);
    expect(await left.run('send', first)).toMatchObject({ conversationId, nodeId: first.messageId });
  });

  test('both hear that a run began and ended', async () => {
    const { left, right, answer } = await pairWithRun();
    await right.until('run-start');
    answer.finish();
    await left.until('run-end');
    await right.until('run-end');
  });

  test('the second one watches live from wherever the answer is', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    const snapshot = await right.run('watch', { conversationId });
    expect(textOf(snapshot?.parts ?? [])).toBe('Half');
    answer.text(' of it');
    await settle();
    left.clock.advance(200);
    await right.until('run-delta');
    const delta = right.told.find((one) => one.name === 'run-delta');
    expect(delta?.payload).toMatchObject({ changes: [{ type: 'append', index: 0, text: ' of it' }] });
  });

  test('nothing is sent to a tab that shows something else', async () => {
    const { left, right, answer } = await pairWithRun();
    answer.text(' more').finish();
    await left.until('run-end');
    await right.until('run-end');
    expect(right.heard('run-delta')).toBe(0);
  });

  test('a tab that waits on the conversation is subscribed when a run begins elsewhere', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    answer.finish();
    await left.until('run-end');
    expect(await right.run('watch', { conversationId })).toBeNull();
    const next = left.provider.next().text('Second');
    await left.run('send', { conversationId, ...message('More') });
    await left.provider.asked(2);
    await settle();
    next.text(' answer');
    await settle();
    left.clock.advance(200);
    await right.until('run-delta');
  });

  test('the second one stops the run of the first', async () => {
    const { left, right, answer, conversationId, branch } = await pairWithRun();
    await right.run('stop', { conversationId });
    expect(answer.isAborted).toBe(true);
    await left.until('run-end');
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted');
  });

  test('the second one sends: the first one, which owns the conversation, asks the model', async () => {
    const { left, right, answer, conversationId, branch } = await pairWithRun();
    left.provider.next().text('Fine').finish();
    await right.run('send', { conversationId, ...message('And now?') });
    expect(answer.isAborted).toBe(true);
    await left.until('run-end', 2);
    expect(right.provider.requests).toHaveLength(0);
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted u:And now?/complete a:Fine/complete');
  });

  test('a refusal by the owner reaches the tab that asked', async () => {
    const { right, conversationId } = await pairWithRun();
    await expect(right.run('send', { conversationId, ...message('  ') })).rejects.toMatchObject({ code: 'message-empty' });
  });

  test('after five idle seconds the other tab owns it itself', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    answer.finish();
    await left.until('run-end');
    left.clock.advance(5000);
    right.provider.next().text('Mine').finish();
    await right.run('send', { conversationId, ...message('Yours?') });
    await right.until('run-end', 2);
    expect(right.provider.requests).toHaveLength(1);
  });

  test('when the owner dies the other one closes the answer with what was saved, and can go on', async () => {
    const { left, right, conversationId, branch } = await pairWithRun();
    await right.run('watch', { conversationId });
    left.clock.advance(1000);
    await settle();
    left.kill();
    await right.until('run-end');
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/interrupted');
    expect(await readRuns(right.database)).toEqual([]);
    right.provider.next().text('Going on').finish();
    await right.run('send', { conversationId, ...message('Still there?') });
    await right.until('run-end', 2);
    expect(await branch(conversationId)).toContain('a:Going on/complete');
  });

  test('a command that waits for an owner who dies is served here instead', async () => {
    const { left, right, conversationId } = await pairWithRun();
    await right.run('watch', { conversationId });
    left.kill();
    await right.run('stop', { conversationId });
    await right.until('run-end');
  });

  test('opening and leaving a conversation never stops a run', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    await right.run('watch', { conversationId });
    await right.run('unwatch', { conversationId });
    await left.run('unwatch', { conversationId });
    expect(answer.isAborted).toBe(false);
    expect(await right.run('running', {})).toEqual([conversationId]);
  });
});

describe('a tab of another build', () => {
  test('is left alone when it speaks another protocol, and its calls are answered', async () => {
    const { left, foreign } = await pairOfTabs();
    foreign({ type: 'event', name: 'run-start', payload: { phase: 'pondering' } }, PROTOCOL_VERSION + 1);
    const heard = foreign({ type: 'call', id: 7, name: 'watch', args: {} }, PROTOCOL_VERSION + 1);
    await settle();
    expect(left.told).toEqual([]);
    expect(heard).toContainEqual(
      expect.objectContaining({
        to: 'other',
        message: { type: 'failure', id: 7, error: { code: 'owner-silent', retryable: true, details: { frozen: true } } },
      }),
    );
  });

  test('may tell of things that this one has no word for', async () => {
    const { left, foreign } = await pairOfTabs();
    foreign({ type: 'event', name: 'weather', payload: {} }, PROTOCOL_VERSION);
    foreign({ type: 'event', name: 'toString', payload: {} }, PROTOCOL_VERSION);
    await settle();
    expect(left.told).toEqual([]);
  });
});

describe('an owner that dies', () => {
  test('while another tab begins to watch is no failure there: its answer is closed', async () => {
    const { left, right, conversationId } = await pairWithRun();
    left.freeze();
    const watching = right.run('watch', { conversationId });
    await settle();
    left.kill();
    expect(await watching).toBeNull();
    await right.until('run-end');
  });

  test('after it stored an answer and before it told of the end: the other tabs tell it', async () => {
    const { left, right, answer, conversationId, branch } = await pairWithRun();
    await right.until('run-start');
    right.freeze();
    answer.finish();
    await left.until('run-end');
    left.kill();
    right.thaw();
    await right.until('run-end');
    expect(right.told.at(-1)).toMatchObject({ name: 'run-end', payload: { status: 'complete', excerpt: 'Half' } });
    expect(await branch(conversationId)).toBe('u:Tell/complete a:Half/complete');
  });

  test('after it stored an answer that was only looked at: the same', async () => {
    const { left, right, answer, conversationId } = await pairWithRun();
    await right.run('watch', { conversationId });
    right.told.length = 0;
    right.freeze();
    answer.finish();
    await left.until('run-end');
    left.kill();
    right.thaw();
    await right.until('run-end');
    await settle();
    expect(right.heard('run-end')).toBe(1);
  });

  test('before anybody heard of its run is missed all the same: they have greeted each other', async () => {
    const { left, right, branch } = await pairOfTabs();
    right.freeze();
    left.provider.next().text('Half');
    const { conversationId } = await left.run('send', { conversationId: null, ...message('Tell') });
    left.kill();
    right.thaw();
    await right.until('run-end');
    expect(await branch(conversationId)).toBe('u:Tell/complete a:/interrupted');
  });

  test.each(['edit', 'regenerate'] as const)(
    'before it could say that it did an %s: the next owner does it no second time',
    async (name) => {
      const { left, right, conversationId, nodeId, branch } = await pairWithRun();
      const draft = { text: 'Other', attachments: [] };
      const asked = right.run(name, { conversationId, nodeId, draft, answer: true, model: null });
      const entries = async () => (await readTree(left.database, conversationId)).entries.length;
      // The old run has ended and the new one has not begun: the answer to the command is still to come.
      while (left.heard('run-end') === 0) await new Promise((resolve) => setImmediate(resolve));
      right.freeze();
      await left.until('run-start', 2);
      const stored = await entries();
      left.kill();
      right.thaw();
      await right.until('run-end', 2);
      right.clock.advance(50);
      const { answerId } = await asked;
      expect(await entries()).toBe(stored);
      expect(answerId).not.toBeNull();
      expect(await branch(conversationId)).toBe(name === 'edit' ? 'u:Other/complete a:/interrupted' : 'u:Tell/complete a:/interrupted');
    },
  );

  test('and whose last words come late is not heard any more: what they began is closed', async () => {
    const { left, right } = await pairWithRun();
    await right.until('run-start');
    const start = left.told.find((one) => one.name === 'run-start');
    left.kill();
    await right.until('run-end');
    right.hear({ from: 'a', to: '*', protocol: PROTOCOL_VERSION, message: { type: 'event', name: 'run-start', payload: start?.payload } });
    await settle();
    expect(right.heard('run-start')).toBe(1);
  });
});

test('what comes of a run after its end is not passed on to the page, nor is its end a second time', async () => {
  const { left, right, answer } = await pairWithRun();
  await right.until('run-start');
  answer.finish();
  await right.until('run-end');
  for (const { name, payload } of left.told.filter((one) => one.name !== 'notice')) {
    right.hear({ from: 'a', to: '*', protocol: PROTOCOL_VERSION, message: { type: 'event', name, payload } });
  }
  await settle();
  expect(right.heard('run-start')).toBe(1);
  expect(right.heard('run-end')).toBe(1);
});

test('a run that begins here while its owner is looked for is not said to be none', async () => {
  const { left } = await pairOfTabs();
  const { conversationId } = await left.run('send', { conversationId: null, ...message('Tell'), answer: false });
  left.freeze();
  const watching = left.run('watch', { conversationId });
  await settle();
  // The lock is held already, so nothing of this has to wait.
  left.provider.next().text('Half');
  const { answerId } = await left.run('send', { conversationId, ...message('Now') });
  left.thaw();
  expect(await watching).toMatchObject({ nodeId: answerId });
});

test('a tab that starts closes what a browser crash left', async () => {
  const { left, right, branch } = await pairOfTabs();
  left.provider.next().text('Half');
  const { conversationId } = await left.run('send', { conversationId: null, ...message('Tell') });
  await left.provider.asked(1);
  left.kill();
  await recoverAll(right.context, right.locks);
  expect(await branch(conversationId)).toBe('u:Tell/complete a:/interrupted');
});
