import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/core/draft';
import { AppError } from '../../src/core/errors';
import { partsOf, textOf } from '../../src/core/node';
import type { SendResult } from '../../src/core/protocol';
import { continueAnswer, edit, regenerate, send } from '../../src/generation/entries';
import { closeDeadRun } from '../../src/generation/recover';
import { readAccount, saveAccount } from '../../src/storage/accounts';
import { readBlob } from '../../src/storage/blobs';
import { readBranch, readNode } from '../../src/storage/content';
import { readConversation } from '../../src/storage/conversations';
import { readDraft, saveDraft } from '../../src/storage/drafts';
import { readRun } from '../../src/storage/runs';
import { readTree } from '../../src/storage/tree';
import { MODEL, settle, testDesk } from '../support/generation';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000001';
const PICTURE: Draft['attachments'][number] = { kind: 'image', blob: 'a'.repeat(64), mimeType: 'image/png', name: 'cat.png', sizeBytes: 3 };
const say = (text: string): Draft => ({ text, attachments: [] });

async function start() {
  const setup = await testDesk();
  const held = await setup.desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const { session } = held;
  let messages = 0;
  const sendText = async (draft: Draft, over: { answer?: boolean; isNew?: boolean } = {}): Promise<SendResult> =>
    send(setup.desk, session, {
      isNew: over.isNew ?? messages === 0,
      messageId: `bbbbbbbb-0000-4000-8000-${(++messages).toString().padStart(12, '0')}`,
      draft,
      answer: over.answer ?? true,
      model: null,
    });
  const branch = async (): Promise<string> =>
    ((await readBranch(setup.database, CONVERSATION, { limit: 99 }))?.nodes ?? [])
      .map((node) => `${node.role[0]}:${textOf(partsOf(node))}`)
      .join(' | ');
  const answered = async (draft: Draft, text: string): Promise<SendResult> => {
    const count = setup.heard.ends.length + 1;
    setup.provider.next().text(text).finish();
    const result = await sendText(draft);
    await setup.heard.end(count);
    return result;
  };
  return { ...setup, session, sendText, branch, answered };
}

describe('a message', () => {
  test('is on disk with its empty answer before any model is asked', async () => {
    const { sendText, provider, database, branch } = await start();
    const spy = vi.spyOn(provider, 'stream');
    spy.mockImplementation(async function* () {
      expect(await branch()).toBe('u:Hello | a:');
      expect(await readRun(database, CONVERSATION)).toBeDefined();
      yield { type: 'text-delta', text: 'Hi' };
      yield { type: 'finish', reason: 'stop', rawReason: 'stop' };
    });
    await sendText(say('Hello'));
    await settle();
    expect(spy).toHaveBeenCalledOnce();
    expect(await branch()).toBe('u:Hello | a:Hi');
  });

  test('gets a title at once and takes its draft with it', async () => {
    const { sendText, database } = await start();
    await saveDraft(database, 'new', say('Hello'), 1);
    await sendText(say('Hello'), { answer: false });
    expect(await readConversation(database, CONVERSATION)).toMatchObject({ title: 'Hello', titleBy: 'local' });
    expect(await readDraft(database, 'new')).toBeUndefined();
  });

  test('without words and files is refused and nothing is written', async () => {
    const { sendText, database } = await start();
    await expect(sendText(say('  \n'))).rejects.toMatchObject({ code: 'message-empty' });
    expect(await readConversation(database, CONVERSATION)).toBeUndefined();
  });

  test('with only a picture is accepted by a model that sees, and refused by one that does not', async () => {
    const { desk, session, sendText, provider, heard } = await start();
    await expect(sendText({ text: '', attachments: [PICTURE] })).rejects.toMatchObject({ code: 'image-unsupported' });
    provider.next().text('A cat.').finish();
    const model = { ...MODEL, modelId: 'vision' };
    await send(desk, session, {
      isNew: true,
      messageId: 'cccccccc-0000-4000-8000-000000000001',
      draft: { text: '', attachments: [PICTURE] },
      answer: true,
      model,
    });
    await heard.end();
    expect(provider.requests[0]?.history).toEqual([
      { role: 'user', parts: [{ type: 'text', text: '[Picture “cat.png” left out: it is no longer stored.]' }] },
    ]);
  });

  test('can be stored without asking anyone', async () => {
    const { sendText, provider, branch } = await start();
    expect(await sendText(say('Note'), { answer: false })).toMatchObject({ answerId: null });
    expect(provider.requests).toHaveLength(0);
    expect(await branch()).toBe('u:Note');
  });

  test('that comes twice is stored and answered once', async () => {
    const { desk, session, provider, branch, heard } = await start();
    provider.next().text('Hi').finish();
    const request = { isNew: true, messageId: 'dddddddd-0000-4000-8000-000000000001', draft: say('Hello'), answer: true, model: null };
    const first = await send(desk, session, request);
    await heard.end();
    expect(await send(desk, session, request)).toEqual(first);
    expect(await branch()).toBe('u:Hello | a:Hi');
    expect(provider.requests).toHaveLength(1);
  });

  test('ends the run before it and waits until that is stored', async () => {
    const { sendText, provider, branch, heard, clock } = await start();
    const first = provider.next().text('Once upon');
    await sendText(say('Tell'));
    await provider.asked(1);
    await settle();
    clock.advance(100);
    provider.next().text('Short.').finish();
    await sendText(say('Shorter'));
    expect(first.isAborted).toBe(true);
    await heard.end(2);
    expect(heard.ends.map((end) => end.status)).toEqual(['interrupted', 'complete']);
    expect(await branch()).toBe('u:Tell | a:Once upon | u:Shorter | a:Short.');
  });

  test('asks the model with the whole branch and nothing of other branches', async () => {
    const { answered, desk, session, provider, heard } = await start();
    const { nodeId } = await answered(say('One'), 'First');
    provider.next().text('Second').finish();
    await edit(desk, session, nodeId, { messageId: desk.environment.newId(), draft: say('Two'), answer: true, model: null });
    await heard.end(2);
    expect(provider.requests[1]?.history).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Two' }] }]);
    expect(provider.requests[1]?.system[0]).toContain('Munin');
  });
});

describe('an answer', () => {
  test('is shown as it grows: gathered for 40 ms, then every 150 ms', async () => {
    const { sendText, provider, heard, clock } = await start();
    const answer = provider.next();
    const { answerId } = await sendText(say('Count'));
    await provider.asked(1);
    const before = heard.deltas.length;
    answer.text('1');
    await settle();
    for (let at = 0; at < 100; at++) {
      answer.text(` ${at}`);
      await settle();
      clock.advance(10);
    }
    // One second: the first part after 40 ms, then one delta every 150 ms.
    const published = heard.deltas.length - before;
    expect(published).toBeGreaterThanOrEqual(6);
    expect(published).toBeLessThanOrEqual(8);
    expect(heard.shown(answerId ?? '')).toMatch(/^1 0 1 2 /);
    answer.finish();
    await heard.end();
    expect(heard.shown(answerId ?? '')).toMatch(/ 98 99$/);
  });

  test('is on disk at most a second late, also when the model falls silent', async () => {
    const { sendText, provider, database, clock } = await start();
    const answer = provider.next();
    await sendText(say('Count'));
    await provider.asked(1);
    answer.text('partial');
    await settle();
    for (let waited = 0; waited < 1000; waited += 50) {
      clock.advance(50);
      await settle();
    }
    expect(textOf((await readRun(database, CONVERSATION))?.body.parts ?? [])).toBe('partial');
  });

  test('is stored before anybody hears of its end', async () => {
    const { sendText, provider, database, heard } = await start();
    provider.next().text('Done').finish();
    let stored = '';
    const original = heard.ended.bind(heard);
    heard.ended = (end): void => {
      void readNode(database, CONVERSATION, end.nodeId).then((node) => {
        stored = `${node?.status} ${textOf(node === undefined ? [] : partsOf(node))}`;
        original(end);
      });
    };
    await sendText(say('Go'));
    await heard.end();
    expect(stored).toBe('complete Done');
  });

  test('that is stopped keeps what it had and leaves no run', async () => {
    const { sendText, session, provider, database, heard, branch } = await start();
    const answer = provider.next().text('Half an');
    await sendText(say('Tell'));
    await provider.asked(1);
    await settle();
    await session.stop();
    expect(answer.isAborted).toBe(true);
    expect(heard.ends[0]).toMatchObject({ status: 'interrupted', excerpt: 'Half an' });
    expect(await branch()).toBe('u:Tell | a:Half an');
    expect(await readRun(database, CONVERSATION)).toBeUndefined();
  });

  test('that fails keeps its words and says why', async () => {
    const { sendText, provider, database, heard } = await start();
    provider
      .next()
      .text('Half')
      .say(new AppError('overloaded', { retryable: true, details: { status: 529 } }));
    const { answerId } = await sendText(say('Tell'));
    await heard.end();
    const node = await readNode(database, CONVERSATION, answerId ?? '');
    expect(node).toMatchObject({ status: 'failed' });
    expect(node?.steps[0]).toMatchObject({ parts: [{ text: 'Half' }], error: { code: 'overloaded', details: { status: 529 } } });
  });

  test('counts its time, its words and its model', async () => {
    const { sendText, provider, database, heard, clock } = await start();
    const answer = provider.next();
    const { answerId } = await sendText(say('Tell'));
    await provider.asked(1);
    clock.advance(500);
    answer.text('Hi').say({ type: 'usage', usage: { inputTokens: 9, outputTokens: 2 } });
    await settle();
    clock.advance(1500);
    answer.finish();
    await heard.end();
    const step = (await readNode(database, CONVERSATION, answerId ?? ''))?.steps[0];
    expect(step).toMatchObject({ model: MODEL, usage: { inputTokens: 9, outputTokens: 2 }, finishReason: 'stop' });
    expect((step?.firstOutputAt ?? 0) - (step?.startedAt ?? 0)).toBe(500);
    expect((step?.endedAt ?? 0) - (step?.startedAt ?? 0)).toBe(2000);
  });

  test('that is only counted has not begun: its first output is what the user sees of it', async () => {
    const { sendText, provider, database, heard, clock } = await start();
    const answer = provider.next().say({ type: 'usage', usage: { inputTokens: 9 } });
    const { answerId } = await sendText(say('Tell'));
    await provider.asked(1);
    await settle();
    clock.advance(200);
    expect(heard.deltas.at(-1)).toMatchObject({ phase: 'requesting', usage: { inputTokens: 9 } });
    clock.advance(800);
    answer.text('Hi').finish();
    await heard.end();
    const step = (await readNode(database, CONVERSATION, answerId ?? ''))?.steps[0];
    expect((step?.firstOutputAt ?? 0) - (step?.startedAt ?? 0)).toBe(1000);
  });

  test('is announced before anything else of it is told', async () => {
    const { sendText, provider, heard } = await start();
    const order: string[] = [];
    const { started, delta } = { started: heard.started.bind(heard), delta: heard.delta.bind(heard) };
    heard.started = (snapshot): void => {
      order.push(`start ${snapshot.revision}`);
      started(snapshot);
    };
    heard.delta = (change): void => {
      order.push(`delta ${change.revision}`);
      delta(change);
    };
    provider.next().text('Hi').finish();
    await sendText(say('Tell'));
    await heard.end();
    expect(order.slice(0, 2)).toEqual(['start 0', 'delta 1']);
  });

  test('with pictures stores their bytes, also of one that came damaged, and keeps the words around them', async () => {
    const { sendText, provider, database, heard } = await start();
    provider
      .next()
      .text('Look:')
      .say({ type: 'image', mimeType: 'image/png', base64: 'aGVsbG8=' })
      .say({ type: 'image', mimeType: 'image/png', base64: 'aGV…sbG' })
      .finish();
    const { answerId } = await sendText(say('Draw'));
    await heard.end();
    const parts = partsOf((await readNode(database, CONVERSATION, answerId ?? '')) ?? { steps: [] });
    expect(parts.map((part) => part.type)).toEqual(['text', 'media', 'media']);
    const [, whole] = parts;
    const stored = await readBlob(database, whole?.type === 'media' ? whole.blob : '');
    expect(new TextDecoder().decode(stored?.body.bytes)).toBe('hello');
  });

  test('is tried again while nothing of it was seen, with a countdown that stop ends', async () => {
    const { sendText, provider, heard, clock, branch } = await start();
    provider.next().say(new AppError('rate-limit', { retryable: true, details: { retryAfterMs: 4000 } }));
    provider.next().text('At last').finish();
    await sendText(say('Go'));
    await provider.asked(1);
    await settle();
    expect(heard.deltas.at(-1)).toMatchObject({ phase: 'waiting', retry: { attempt: 1, error: { code: 'rate-limit' } } });
    expect((heard.deltas.at(-1)?.retry?.resumesAt ?? 0) - clock.now).toBeGreaterThanOrEqual(4000);
    clock.advance(6000);
    await heard.end();
    expect(await branch()).toBe('u:Go | a:At last');
  });

  test('that is tried again keeps nothing of the attempt that failed', async () => {
    const { sendText, provider, database, heard, clock } = await start();
    provider
      .next()
      .say({ type: 'reasoning-opaque', data: 'signature of an answer that never came' })
      .say(new AppError('overloaded', { retryable: true }));
    provider.next().text('At last').finish();
    const { answerId } = await sendText(say('Go'));
    await provider.asked(1);
    await settle();
    clock.advance(6000);
    await heard.end();
    const node = await readNode(database, CONVERSATION, answerId ?? '');
    expect(partsOf(node ?? { steps: [] })).toEqual([{ type: 'text', step: 0, text: 'At last' }]);
  });

  test('is never tried again once something of it was seen, or when it cannot pass', async () => {
    const { sendText, provider, heard } = await start();
    provider
      .next()
      .text('Half')
      .say(new AppError('server-unreachable', { retryable: true }));
    await sendText(say('Go'));
    await heard.end();
    provider.next().say(new AppError('auth'));
    await sendText(say('Again'));
    await heard.end(2);
    expect(provider.requests).toHaveLength(2);
  });

  test('is not tried again without a network: the user is told at once', async () => {
    const { sendText, provider, heard } = await start();
    provider.next().say(new AppError('offline', { retryable: true }));
    await sendText(say('Go'));
    expect(await heard.end()).toMatchObject({ status: 'failed', error: { code: 'offline' } });
    expect(provider.requests).toHaveLength(1);
  });

  test('of an account that this version cannot speak to is refused before anything is written', async () => {
    const { desk, session, database } = await start();
    const account = await readAccount(database, MODEL.accountId);
    if (account === undefined) throw new Error('no account');
    await saveAccount(database, { ...account, provider: 'from-a-newer-version' }, undefined, { at: 2, device: 'device' });
    const request = { isNew: true, messageId: 'cccccccc-0000-4000-8000-000000000002', draft: say('Hello'), answer: true, model: null };
    await expect(send(desk, session, request)).rejects.toMatchObject({ code: 'account-missing' });
    expect(await readConversation(database, CONVERSATION)).toBeUndefined();
  });

  test('stopped during the wait ends at once', async () => {
    const { sendText, session, provider, heard } = await start();
    provider.next().say(new AppError('rate-limit', { retryable: true, details: { retryAfterMs: 30_000 } }));
    await sendText(say('Go'));
    await provider.asked(1);
    await settle();
    await session.stop();
    expect(heard.ends[0]?.status).toBe('interrupted');
  });

  test('whose last write fails is tried three times, then the user is told and the text stays in the tab', async () => {
    const { sendText, session, branch, provider, database, heard, clock } = await start();
    const answer = provider.next().text('Precious');
    const { answerId } = await sendText(say('Go'));
    await provider.asked(1);
    await settle();
    let tries = 0;
    const refuse = (): never => {
      tries += 1;
      throw new DOMException('full', 'QuotaExceededError');
    };
    database.content.hook('creating', refuse);
    database.content.hook('updating', refuse);
    answer.finish();
    for (let at = 0; at < 10 && heard.ends.length === 0; at++) {
      await settle();
      clock.advance(500);
    }
    await heard.end();
    expect(tries).toBe(3);
    expect(heard.notices.map((notice) => notice.code)).toEqual(['storage-quota']);
    expect(heard.shown(answerId ?? '')).toBe('Precious');
    // It is owed until there is space again, and stored before anything else happens here.
    await expect(session.settle()).rejects.toMatchObject({ code: 'storage-quota' });
    database.content.hook('creating').unsubscribe(refuse);
    database.content.hook('updating').unsubscribe(refuse);
    clock.advance(5000);
    await settle();
    expect(await branch()).toBe('u:Go | a:Precious');
    expect(await readRun(database, CONVERSATION)).toBeUndefined();
  });
});

describe('the disk', () => {
  const QUOTA = new DOMException('full', 'QuotaExceededError');

  test('that refused what was said is asked again, also when the model says nothing more', async () => {
    const { sendText, provider, database, heard, clock } = await start();
    const answer = provider.next();
    await sendText(say('Tell'));
    await provider.asked(1);
    const refuse = (): never => {
      throw QUOTA;
    };
    database.runs.hook('updating', refuse);
    answer.text('Precious');
    for (let waited = 0; waited < 1000; waited += 200) {
      await settle();
      clock.advance(200);
    }
    expect(heard.notices.map((notice) => notice.code)).toEqual(['storage-quota']);
    database.runs.hook('updating').unsubscribe(refuse);
    for (let waited = 0; waited < 1000; waited += 200) {
      await settle();
      clock.advance(200);
    }
    await settle();
    expect(textOf((await readRun(database, CONVERSATION))?.body.parts ?? [])).toBe('Precious');
  });

  test('that can’t be read for the branch leaves no answer that nobody writes', async () => {
    const { answered, sendText, database, heard, branch } = await start();
    await answered(say('One'), 'First');
    let reads = 0;
    const fail = (row: unknown): unknown => {
      // The message itself is looked for first; the branch is read once it is written.
      reads += 1;
      if (reads === 1) throw new Error('unreadable');
      return row;
    };
    database.content.hook('reading', fail);
    await expect(sendText(say('Two'))).rejects.toMatchObject({ code: 'storage-failed' });
    database.content.hook('reading').unsubscribe(fail);
    expect(heard.ends.at(-1)).toMatchObject({ status: 'interrupted' });
    expect(await branch()).toBe('u:One | a:First | u:Two | a:');
    expect(await readRun(database, CONVERSATION)).toBeUndefined();
  });

  test('that is owed an answer gets it before anything else of the conversation', async () => {
    const { sendText, session, provider, database, branch, clock, heard } = await start();
    provider.next().text('Precious');
    await sendText(say('Go'));
    await provider.asked(1);
    await settle();
    const refuse = (): never => {
      throw QUOTA;
    };
    database.content.hook('updating', refuse);
    const next = expect(sendText(say('More'))).rejects.toMatchObject({ code: 'storage-quota' });
    for (let at = 0; at < 10; at++) {
      await settle();
      clock.advance(100);
    }
    await next;
    expect(heard.ends).toHaveLength(1);
    database.content.hook('updating').unsubscribe(refuse);
    await session.settle();
    expect(await branch()).toBe('u:Go | a:Precious');
    expect(await readRun(database, CONVERSATION)).toBeUndefined();
  });
});

describe('branches', () => {
  test('another answer stands beside the first and is shown', async () => {
    const { answered, desk, session, provider, heard, branch, database } = await start();
    const { answerId } = await answered(say('Joke'), 'One');
    provider.next().text('Two').finish();
    const again = await regenerate(desk, session, answerId ?? '', { answerId: desk.environment.newId(), model: null });
    await heard.end(2);
    expect(await branch()).toBe('u:Joke | a:Two');
    expect((await readNode(database, CONVERSATION, again.answerId ?? ''))?.siblings).toHaveLength(2);
    expect(provider.requests[1]?.history).toEqual(provider.requests[0]?.history);
  });

  test('an edited message is a sibling; the old one and what followed stay', async () => {
    const { answered, desk, session, provider, heard, branch, database } = await start();
    const { nodeId } = await answered(say('Jok'), 'What?');
    provider.next().text('Ha').finish();
    const edited = await edit(desk, session, nodeId, {
      messageId: desk.environment.newId(),
      draft: say('Joke'),
      answer: true,
      model: null,
    });
    await heard.end(2);
    expect(await branch()).toBe('u:Joke | a:Ha');
    expect(edited.nodeId).not.toBe(nodeId);
    expect(textOf(partsOf((await readNode(database, CONVERSATION, nodeId)) ?? { steps: [] }))).toBe('Jok');
  });

  test('an answer in the user’s own words is a sibling that asks nobody', async () => {
    const { answered, desk, session, provider, branch } = await start();
    const { answerId } = await answered(say('Joke'), 'One');
    await edit(desk, session, answerId ?? '', { messageId: desk.environment.newId(), draft: say('Better one'), answer: true, model: null });
    expect(await branch()).toBe('u:Joke | a:Better one');
    expect(provider.requests).toHaveLength(1);
  });
});

describe('going on', () => {
  async function interrupted() {
    const setup = await start();
    const answer = setup.provider.next().text('The quick brown fox ju');
    const { answerId } = await setup.sendText(say('Tell'));
    await setup.provider.asked(1);
    answer.say({ type: 'usage', usage: { inputTokens: 5, outputTokens: 6 } });
    await settle();
    await setup.session.stop();
    return { ...setup, answerId: answerId ?? '' };
  }

  test('asks for the rest and joins it byte for byte in the same node', async () => {
    const { desk, session, provider, heard, database, branch, answerId } = await interrupted();
    provider
      .next()
      .text('mps over')
      .say({ type: 'usage', usage: { inputTokens: 20, outputTokens: 4 } })
      .finish();
    expect(await continueAnswer(desk, session, answerId)).toMatchObject({ answerId });
    await heard.end(2);
    expect(await branch()).toBe('u:Tell | a:The quick brown fox jumps over');
    const history = provider.requests[1]?.history ?? [];
    expect(history.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(history[1]?.parts).toEqual([{ type: 'text', text: 'The quick brown fox ju' }]);
    const node = await readNode(database, CONVERSATION, answerId);
    expect(node?.status).toBe('complete');
    expect(node?.steps).toHaveLength(1);
    expect(node?.steps[0]?.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
  });

  test('an edit and a new answer that are asked for twice are made once', async () => {
    const { desk, session, provider, heard, answered, database } = await start();
    const { nodeId, answerId } = await answered(say('Joke'), 'One');
    provider.next().text('Two').finish();
    const again = { answerId: desk.environment.newId(), model: null };
    const first = await regenerate(desk, session, answerId ?? '', again);
    await heard.end(2);
    expect(await regenerate(desk, session, answerId ?? '', again)).toEqual(first);
    provider.next().text('Three').finish();
    const other = { messageId: desk.environment.newId(), draft: say('Pun'), answer: true, model: null };
    const edited = await edit(desk, session, nodeId, other);
    await heard.end(3);
    expect(await edit(desk, session, nodeId, other)).toEqual(edited);
    expect((await readTree(database, CONVERSATION)).entries).toHaveLength(5);
  });

  test('keeps the earlier text on disk while it runs, also when it is killed', async () => {
    const { desk, session, provider, database, branch, answerId } = await interrupted();
    provider.next();
    await continueAnswer(desk, session, answerId);
    await provider.asked(2);
    expect(textOf((await readRun(database, CONVERSATION))?.body.parts ?? [])).toBe('The quick brown fox ju');
    await closeDeadRun(desk, CONVERSATION, async () => true);
    expect(await branch()).toBe('u:Tell | a:The quick brown fox ju');
  });

  test('is refused for a message of the user', async () => {
    const { desk, session, answered } = await start();
    const { nodeId } = await answered(say('Joke'), 'One');
    await expect(continueAnswer(desk, session, nodeId)).rejects.toMatchObject({ code: 'node-not-editable' });
  });
});

describe('after a kill', () => {
  test('the saved part becomes an interrupted message and the next send works', async () => {
    const first = await start();
    const answer = first.provider.next().say({ type: 'reasoning-delta', text: 'hm' }).text('Half');
    const { answerId } = await first.sendText(say('Tell'));
    await first.provider.asked(1);
    void answer;
    await settle();
    first.clock.advance(1000);
    await settle();
    // Another worker over the same database; the first one is never heard of again.
    const second = await testDesk({ database: first.database, worker: 'second' });
    second.clock.now = first.clock.now + 60_000;
    const held = await second.desk.sessions.acquire(CONVERSATION);
    if (held === null) throw new Error('the lock was free');
    await closeDeadRun(second.desk, CONVERSATION, async () => true);
    second.provider.next().text('Fine.').finish();
    await send(second.desk, held.session, {
      isNew: false,
      messageId: 'eeeeeeee-0000-4000-8000-000000000001',
      draft: say('And?'),
      answer: true,
      model: null,
    });
    await second.heard.end(2);
    expect(await first.branch()).toBe('u:Tell | a:Half | u:And? | a:Fine.');
    const node = await readNode(first.database, CONVERSATION, answerId ?? '');
    expect(node).toMatchObject({ status: 'interrupted' });
    expect(node?.steps[0]?.error?.code).toBe('interrupted');
    expect(node?.steps[0]?.parts.every((part) => part.type !== 'reasoning' || part.endedAt !== undefined)).toBe(true);
  });
});
