import * as v from 'valibot';
import type { Part, StoredOutput } from '../core/node';
import { readBlob } from '../storage/blobs';
import { defineTool } from './define-tool';

const MAX_CHARACTERS = 16_384;
const USUAL_CHARACTERS = 8192;
const MAX_LINES = 50;
const LINE_CHARACTERS = 300;

/** Reads on in an output that was too long to read at once. */
export const readToolOutput = defineTool({
  name: 'read_tool_output',
  group: 'session',
  approval: 'never',
  isAgentTool: false,
  description: 'Read a stored tool output: a stretch of it by offset and limit, or the lines that hold a query.',
  parameters: v.strictObject({
    path: v.pipe(v.string(), v.description('As the result gave it: /tool_outputs/….txt')),
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description('The first character, counted from 0.')), 0),
    limit: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_CHARACTERS), v.description('How many characters.')),
      USUAL_CHARACTERS,
    ),
    query: v.optional(v.pipe(v.string(), v.nonEmpty(), v.description('Plain words; the lines that hold them come with their numbers.'))),
  }),
  // Whether an output will be too long is not known before a tool has run, and the list of tools stays the same in a run.
  available: () => true,
  execute: async ({ path, offset, limit, query }, { before, answer, database, signal }) => {
    const outputs = [...before, ...answer].flatMap(storedIn);
    const output = outputs.findLast((candidate) => candidate.path === path);
    if (output === undefined) return { failure: 'refused', text: unknownPath(path, outputs) };
    const blob = await readBlob(database, output.blob);
    signal.throwIfAborted();
    if (blob === undefined) return { failure: 'failed', text: `${path} is no longer stored. Run the tool again.` };
    const text = new TextDecoder().decode(blob.body.bytes);
    return { text: query === undefined ? stretch(text, offset, limit) : matching(text, query) };
  },
});

function storedIn(part: Part): readonly StoredOutput[] {
  return part.type === 'tool' && part.result?.stored !== undefined ? [part.result.stored] : [];
}

function unknownPath(path: string, outputs: readonly StoredOutput[]): string {
  const known = outputs.map((output) => output.path).join(', ');
  return `There is no stored output “${path}”. ${known === '' ? 'None is stored in this conversation.' : `Stored: ${known}.`}`;
}

function stretch(text: string, offset: number, limit: number): string {
  const end = Math.min(text.length, offset + limit);
  const rest = end < text.length ? ` Go on with offset ${String(end)}.` : ' That is the end.';
  return `Characters ${String(Math.min(offset, text.length))} to ${String(end)} of ${String(text.length)}.${rest}\n\n${text.slice(offset, end)}`;
}

function matching(text: string, query: string): string {
  const wanted = query.toLowerCase();
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [`${String(index + 1)}: ${around(line, wanted)}`] : []));
  const shown = lines.slice(0, MAX_LINES);
  const head = `${String(lines.length)} lines hold “${query}”${lines.length > shown.length ? `; the first ${String(shown.length)}` : ''}:`;
  return lines.length === 0 ? `No line holds “${query}”.` : [head, ...shown].join('\n');
}

/** A line may be the whole output. */
function around(line: string, wanted: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  const start = Math.max(0, line.toLowerCase().indexOf(wanted) - LINE_CHARACTERS / 2);
  return `…${line.slice(start, start + LINE_CHARACTERS)}…`;
}
