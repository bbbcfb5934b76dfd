import { afterAll, describe, expect, test } from 'vitest';
import { closeReasoning } from '../../src/core/stream';
import { partsOf, textOf, type MessageNode, type Part } from '../../src/core/node';
import type { Desk } from '../../src/generation/desk';
import { send } from '../../src/generation/entries';
import { isList, isRecord, type UnknownRecord } from '../../src/outbound/json';
import { PROVIDERS } from '../../src/providers';
import type { Provider } from '../../src/providers/provider';
import { saveAccount } from '../../src/storage/accounts';
import { readBlob } from '../../src/storage/blobs';
import { readNode } from '../../src/storage/content';
import { createTestGate } from '../outbound/test-gate';
import { CUTTINGS, streamOf } from '../providers/cuttings';
import { testAccount } from '../providers/run-provider';
import { hasFixtures } from '../support/fixtures';
import { MODEL, testDesk } from '../support/generation';
import { recordingsOf, type Recording } from '../support/recordings';

/** The `api` of the recordings that a provider reads. */
const APIS: Readonly<Record<string, string>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic',
  'google-generative': 'gemini',
};

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000009';

/** A turn over a recorded answer: the whole way to the disk, and back as the thread reads it. */
async function answered(provider: Provider, recording: Recording, cut: (bytes: Uint8Array) => Iterable<Uint8Array>) {
  const setup = await testDesk();
  const { gate } = createTestGate({
    fetch: () =>
      Promise.resolve(
        new Response(streamOf(cut(recording.bytes)), { status: recording.status, headers: { 'content-type': recording.contentType } }),
      ),
  });
  const environment = { ...setup.desk.environment, gate, providers: PROVIDERS, sleep: async () => Promise.resolve() };
  const desk: Desk = { ...setup.desk, environment };
  const account = testAccount('https://api.example.test/v1', { id: MODEL.accountId, provider: provider.id, streaming: recording.isStream });
  await saveAccount(setup.database, account, 'sk-test', { at: 2, device: 'device' });
  const held = await desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const draft = { text: 'Hello', attachments: [] };
  const messageId = 'bbbbbbbb-0000-4000-8000-000000000009';
  const { answerId } = await send(desk, held.session, { isNew: true, messageId, draft, answer: true, model: null });
  await setup.heard.end();
  const node = await readNode(setup.database, CONVERSATION, answerId ?? '');
  if (node === undefined) throw new Error('the answer is stored');
  return { node, database: setup.database };
}

function textsOf(node: MessageNode, type: 'text' | 'reasoning'): string {
  return partsOf(node)
    .map((part) => (part.type === type ? part.text : ''))
    .join('');
}

/** What the expected result says once tags are read, compared without the blanks around it. */
function wanted(expected: UnknownRecord, field: 'text' | 'reasoning'): string {
  const tagged = expected['afterThinkTags'];
  const value = isRecord(tagged) ? tagged[field] : expected[field];
  return typeof value === 'string' ? value.trim() : '';
}

const isAtRest = (part: Part): boolean => part.type !== 'tool' || part.execution !== 'open';

for (const provider of PROVIDERS) {
  const api = APIS[provider.id];
  const count = { passed: 0, all: 0 };
  afterAll(() => {
    if (hasFixtures) console.log(`${provider.id}, stored and read back: ${count.passed} / ${count.all}`);
  });
  describe.skipIf(!hasFixtures)(`answers of ${provider.id} on their way to the disk and back`, () => {
    for (const recording of recordingsOf(api ?? '')) {
      for (const [cutting, cut] of Object.entries(CUTTINGS)) {
        count.all += 1;
        test(`${recording.name}, cut ${cutting}`, async () => {
          const { node, database } = await answered(provider, recording, cut);
          expect(node.status).not.toBe('running');
          // Two answers spliced into one stream: ending with an error is right as well.
          if (isList(recording.expected['alternatives']) && node.status === 'failed') {
            expect(partsOf(node).every(isAtRest)).toBe(true);
            count.passed += 1;
            return;
          }
          expect(textsOf(node, 'text').trim()).toBe(wanted(recording.expected, 'text'));
          expect(textsOf(node, 'reasoning').trim()).toBe(wanted(recording.expected, 'reasoning'));
          const parts = partsOf(node);
          expect(parts.every(isAtRest)).toBe(true);
          expect(closeReasoning(parts, 0)).toEqual(parts);
          for (const part of parts)
            if (part.type === 'media') expect((await readBlob(database, part.blob))?.sizeBytes).toBe(part.sizeBytes);
          const images = recording.expected['images'];
          expect(parts.filter((part) => part.type === 'media')).toHaveLength(isList(images) ? images.length : 0);
          if (isRecord(recording.expected['error'])) expect(node.status).toBe('failed');
          expect(textOf(parts)).not.toContain('[object Object]');
          count.passed += 1;
        });
      }
    }
  });
}
