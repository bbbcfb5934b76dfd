import { expect } from 'vitest';
import { isList, isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import { createAnthropicMessages } from '../../src/providers/anthropic-messages';
import { describeRecordings, opaqueOf } from './recordings';
import type { RunResult } from './run-provider';

const REFUSAL = "This request triggered restrictions on violative cyber content and was blocked under Anthropic's Usage Policy.";

/** A recording of two answers in one stream ends in an error; what came before stays. */
const SPLICED = {
  text: '',
  reasoning: 'I will call the tool.',
  toolCalls: [{ id: 'toolu_first', name: 'test-tool', arguments: null, argumentsText: '{"value":"Spark' }],
  usage: { inputTokens: 17, outputTokens: 1 },
  error: {},
  reasoningBlocks: [{ type: 'thinking', text: 'I will call the tool.', signature: 'sig-first' }],
};

describeRecordings(createAnthropicMessages(), { api: 'anthropic', atLeast: 18, adapt, checkMore });

/** Text blocks of one answer are one part unless something else stands between them; a refusal is told in the server's words. */
function adapt(expected: UnknownRecord, name: string): UnknownRecord {
  if (name === 'anthropic/spliced-message-start') return SPLICED;
  const { textParts: _blocks, ...rest } = expected;
  return name === 'anthropic/refusal' ? { ...rest, refusal: REFUSAL } : rest;
}

function checkMore(result: RunResult, expected: UnknownRecord): void {
  expect(opaqueOf(result, 'reasoning')).toEqual(recordsIn(expected, 'reasoningBlocks').map(blockOf));
  expect(result.parts.filter((part) => part.type === 'text').length).toBe(textRuns(result));
  const hosted = result.parts.filter((part) => part.type === 'hosted');
  const server = recordsIn(expected, 'serverTools');
  const uses = server.filter((entry) => entry['id'] !== undefined);
  const results = server.filter((entry) => entry['toolUseId'] !== undefined);
  expect(hosted.map(({ id, name, queries }) => ({ id, name, queries }))).toEqual(
    uses.map(({ id, name, input }) => ({ id, name, queries: isRecord(input) && 'query' in input ? [input['query']] : [] })),
  );
  expect(hosted.filter((part) => part.status === 'done').map((part) => part.id)).toEqual(results.map((entry) => entry['toolUseId']));
  for (const part of hosted) {
    const use = uses.find((entry) => entry['id'] === part.id) ?? {};
    const raw: unknown = part.opaque?.data;
    const blocks = isList(raw) ? raw.filter(isRecord) : [];
    expect(blocks[0]).toMatchObject({ type: use['type'], id: use['id'], name: use['name'], input: use['input'] });
    const answer = results.find((entry) => entry['toolUseId'] === part.id);
    if (answer === undefined) continue;
    expect(blocks[1]?.['type']).toBe(answer['type']);
    expect(blocks[1]?.['tool_use_id']).toBe(part.id);
    const { content } = blocks[1] ?? {};
    if (isList(content)) expect(content.length).toBe(answer['results']);
  }
}

/** Each run of texts between two other parts is one part. */
function textRuns(result: RunResult): number {
  const kinds = result.parts.filter((part) => part.type !== 'citation').map((part) => part.type);
  return kinds.filter((kind, index) => kind === 'text' && kinds[index - 1] !== 'text').length;
}

function blockOf(block: UnknownRecord): UnknownRecord {
  if (block['type'] === 'redacted_thinking') return { type: 'redacted_thinking', data: textAt(block, 'data') };
  return { type: 'thinking', thinking: textAt(block, 'text') ?? '', signature: textAt(block, 'signature') };
}

function recordsIn(expected: UnknownRecord, key: string): readonly UnknownRecord[] {
  const value = expected[key];
  return isList(value) ? value.filter(isRecord) : [];
}
