import { expect } from 'vitest';
import { isList, isRecord, textAt } from '../../src/outbound/json';
import { googleGenerative } from '../../src/providers/google-generative';
import { describeRecordings, opaqueOf } from './recordings';

const listAt = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

describeRecordings(googleGenerative, {
  api: 'gemini',
  atLeast: 28,
  // The answer's own words may be gone, so the server's word for the reason is shown.
  refusalOf: (expected) =>
    expected['finishReason'] === 'content_filter' ? (textAt(expected, 'rawFinishReason') ?? '').replace('promptFeedback.', '') : '',
  checkMore(result, expected) {
    // Signatures stand on the part that they came with, byte for byte.
    const signatures = listAt(expected['toolCalls']).map((call) => (isRecord(call) ? textAt(call, 'thoughtSignature') : undefined));
    expect(result.parts.flatMap((part) => (part.type === 'tool' ? [part.opaque?.data] : []))).toEqual(
      signatures.map((thoughtSignature) => (thoughtSignature === undefined ? undefined : { thoughtSignature })),
    );
    expect(opaqueOf(result, 'text')).toEqual(listAt(expected['thoughtSignaturesOnText']).map((thoughtSignature) => ({ thoughtSignature })));
    // What Google's server ran goes back as its raw parts.
    const ran = result.parts.flatMap((part) => (part.type === 'hosted' && part.name === 'code_execution' ? [part] : []));
    expect(ran.flatMap((part) => (isRecord(part.opaque?.data) ? listAt(part.opaque.data['parts']).map(flat) : []))).toEqual(
      listAt(expected['serverTools']),
    );
    expect(ran.every((part) => part.status === 'done')).toBe(true);
  },
});

/** `{executableCode: {…}}` as `{type: 'executableCode', …}`. */
function flat(part: unknown): unknown {
  const [type, fields] = isRecord(part) ? (Object.entries(part)[0] ?? []) : [];
  return { type, ...(isRecord(fields) ? fields : {}) };
}
