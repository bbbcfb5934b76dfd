import { expect } from 'vitest';
import { isList, isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import { createOpenAiResponses } from '../../src/providers/openai-responses';
import { describeRecordings, opaqueOf } from './recordings';
import type { RunResult } from './run-provider';

describeRecordings(createOpenAiResponses(), {
  api: 'openai-responses',
  atLeast: 25,
  checkMore: (result, expected) => {
    expect(thoughtsOf(result)).toEqual(expectedThoughts(expected));
    expect(hostedOf(result)).toEqual(
      [...listAt(expected, 'serverTools'), ...listAt(expected, 'approvalRequests')].map((item) => item['id']),
    );
    for (const request of listAt(expected, 'approvalRequests')) checkApproval(result, request);
    for (const tool of listAt(expected, 'serverTools')) checkHosted(result, tool);
  },
});

/** Thinking as it goes back: id, words and the encrypted form, byte by byte. */
function thoughtsOf(result: RunResult): readonly unknown[] {
  return opaqueOf(result, 'reasoning')
    .map((data): UnknownRecord => (isRecord(data) ? data : {}))
    .map((item) => {
      const texts = [...listAt(item, 'summary'), ...listAt(item, 'content')].map((entry) => entry['text']);
      return thought(item['id'], texts, item['encrypted_content']);
    });
}

function expectedThoughts(expected: UnknownRecord): readonly unknown[] {
  return listAt(expected, 'reasoningBlocks').map((block) => thought(block['id'], block['parts'], block['encryptedContent']));
}

function thought(id: unknown, parts: unknown, encrypted: unknown): unknown {
  return { id, parts, encrypted: encrypted ?? null };
}

function hostedOf(result: RunResult): readonly string[] {
  return result.parts.flatMap((part) => (part.type === 'hosted' ? [part.id] : []));
}

function checkHosted(result: RunResult, tool: UnknownRecord): void {
  const part = result.parts.find((candidate) => candidate.type === 'hosted' && candidate.id === tool['id']);
  if (part?.type !== 'hosted') throw new Error('no such hosted part');
  expect(part.name).toBe((textAt(tool, 'type') ?? '').replace(/_call$/, ''));
  expect(part.status).toBe('done');
  const action = isRecord(tool['action']) ? tool['action'] : undefined;
  if (action === undefined) return;
  expect(part.opaque?.data).toMatchObject({ id: tool['id'], type: tool['type'], action });
  if (textAt(action, 'query') !== undefined) expect(part.queries).toContain(action['query']);
  const urls = listAt(action, 'sources').map((source) => source['url']);
  expect(part.sources.map((source) => source.url)).toEqual([...new Set(urls)]);
}

function checkApproval(result: RunResult, request: UnknownRecord): void {
  const part = result.parts.find((candidate) => candidate.type === 'hosted' && candidate.id === request['id']);
  const data = part?.type === 'hosted' ? part.opaque?.data : undefined;
  if (!isRecord(data)) throw new Error('no such request');
  expect(data).toMatchObject({ type: 'mcp_approval_request', name: request['name'], server_label: request['server'] });
  expect(JSON.parse(textAt(data, 'arguments') ?? '')).toEqual(request['arguments']);
}

function listAt(record: UnknownRecord, key: string): readonly UnknownRecord[] {
  const value = record[key];
  return isList(value) ? value.filter(isRecord) : [];
}
