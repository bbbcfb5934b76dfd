import type { Part } from '../../src/core/node';
import { isList, isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';

/** The calls among the parts of an answer, in the words of the expected results. */
export function callsOf(parts: readonly Part[]): readonly unknown[] {
  return parts.filter((part) => part.type === 'tool').map(({ wireId, name, argumentsText }) => ({ wireId, name, ...read(argumentsText) }));
}

/** The calls that an expected result names; one whose arguments were cut short keeps what it got. */
export function expectedCalls(expected: UnknownRecord): readonly unknown[] {
  const calls = isList(expected['toolCalls']) ? expected['toolCalls'].filter(isRecord) : [];
  return calls.map((call) => {
    const { id, name, arguments: parsed, argumentsText, input } = call;
    // Free text is no JSON and is kept as it came.
    const said = call['kind'] === 'custom' ? input : argumentsText;
    return { wireId: id, name, ...(parsed == null ? { cut: said } : { parsed }) };
  });
}

function read(argumentsText: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(argumentsText.trim() === '' ? '{}' : argumentsText);
    return { parsed };
  } catch {
    return { cut: argumentsText };
  }
}

/** One entry an address, with the first name it got: the expected results list no doubles. */
export function citationsOf(parts: readonly Part[]): readonly unknown[] {
  return distinct(parts.flatMap((part) => (part.type === 'citation' ? [{ url: part.url, title: part.title }] : [])));
}

/** The sources that an expected result names. */
export function expectedCitations(expected: UnknownRecord): readonly unknown[] {
  const citations = isList(expected['citations']) ? expected['citations'].filter(isRecord) : [];
  return distinct(citations.map((citation) => ({ url: textAt(citation, 'url') ?? '', title: textAt(citation, 'title') ?? '' })));
}

function distinct(citations: readonly { readonly url: string; readonly title: string }[]): readonly unknown[] {
  return citations.filter(({ url }, index) => citations.findIndex((other) => other.url === url) === index);
}
