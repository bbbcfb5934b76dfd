import { createParser } from 'eventsource-parser';
import { AppError } from '../core/errors';
import { isList, parseJson } from './json';

/** One event of a stream after repair. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
}

/** The sign by which OpenAI-compatible servers end a stream. */
export const DONE = '[DONE]';

/**
 * Any server's event stream as a strict one: one `data:` line an event, LF, events closed by a blank line. Understands a byte order mark,
 * CR and CRLF, comments, data over several lines, a blank before the field name, `error:` lines, bare JSON where a field should stand (also
 * a whole JSON document instead of a stream), several JSON texts in one event, and a last event without its blank line. Keep-alive noise
 * and a last event that was cut off are left out. Ends after `[DONE]`.
 *
 * Reading throws what the source throws, and `not-an-api` for a page or for text without any event. Cancelling cancels the source at
 * once. `observe` sees every event before the reader does.
 */
export function repairEvents(source: ReadableStream<Uint8Array>, observe?: (event: ServerEvent) => void): ReadableStream<Uint8Array> {
  // A reader loop: asynchronous iteration of a ReadableStream is missing in Safari, in workers too.
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let output = '';
  let isDone = false;
  const repair = createEventRepair((event) => {
    if (isDone) return;
    observe?.(event);
    output += formatEvent(event);
    isDone = event.data === DONE;
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let hasEnded = false;
        try {
          while (output === '' && !hasEnded) {
            const { done, value } = await reader.read();
            hasEnded = done;
            repair.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }));
            if (done) repair.end();
          }
        } catch (error) {
          void reader.cancel().catch(ignore);
          throw error;
        }
        if (output !== '') controller.enqueue(encoder.encode(output));
        output = '';
        if (!hasEnded && !isDone) return;
        controller.close();
        if (!hasEnded) await reader.cancel().catch(ignore);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The same for text that comes in pieces; `end` closes what is open. Both throw `not-an-api`. */
export function createEventRepair(emit: (event: ServerEvent) => void): { feed(text: string): void; end(): void } {
  let bare: string[] = [];
  let isEnding = false;
  let hasFraming = false;
  let hasText = false;

  const parser = createParser({
    onEvent: ({ event, data }) => {
      for (const part of splitData(data, event, isEnding)) emit(event === undefined ? { data: part } : { event, data: part });
    },
  });

  const takeBare = (): void => {
    const value = parseJson(bare.join('\n'));
    if (value === undefined) return;
    bare = [];
    for (const entry of isList(value) ? value : [value]) emit({ data: JSON.stringify(entry) });
  };

  const lines = createLineReader((raw) => {
    const trimmed = raw.trimStart();
    const line = FIELD.test(trimmed) ? trimmed : raw;
    if (trimmed !== '') {
      if (!hasText && trimmed.startsWith('<')) throw new AppError('not-an-api', { details: { reason: 'page' } });
      hasText = true;
    }
    const isField = FIELD.test(line) || line.startsWith(':');
    const isBare = !isField && (bare.length > 0 || /^[{[]/.test(trimmed));
    hasFraming ||= isField || isBare;
    if (isField) bare = [];
    if (isBare) {
      bare.push(raw);
      // A document over many lines is only tried where it may be complete: at a closing bracket, or if it is one line.
      if (bare.length === 1 || /^[}\]]/.test(raw)) takeBare();
      return;
    }
    if (line.startsWith('error:')) {
      parser.feed('\n');
      emit({ event: 'error', data: errorData(line.slice('error:'.length).trim()) });
      return;
    }
    parser.feed(`${line}\n`);
  });

  return {
    feed(text) {
      lines.feed(text);
    },
    end() {
      isEnding = true;
      lines.end();
      takeBare();
      parser.feed('\n\n');
      if (hasText && !hasFraming) throw new AppError('not-an-api', { details: { reason: 'text' } });
    },
  };
}

const FIELD = /^(data|event|id|retry|error):/;

/** The JSON texts of one event; nothing for keep-alive noise, and nothing for a text that the end of the stream cut off. */
function splitData(data: string, event: string | undefined, isEnding: boolean): readonly string[] {
  const text = data.trim().replace(/^data:\s*/, '');
  if (text === '') return [];
  if (text === DONE) return [DONE];
  if (!/^[{[]/.test(text)) return event === 'error' ? [errorData(text)] : [];
  const isWhole = !text.includes('\n') && !isEnding ? true : parseJson(text) !== undefined;
  if (isWhole) return [text];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => line.trim() === DONE || parseJson(line) !== undefined))
    return lines.map((line) => line.trim());
  return isEnding ? [] : [text];
}

/** What an `error:` line says, as the JSON object that other servers send. */
function errorData(text: string): string {
  return /^\{/.test(text) && parseJson(text) !== undefined ? text : JSON.stringify({ error: { message: text } });
}

function formatEvent(event: ServerEvent): string {
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  return `${name}data: ${event.data.replaceAll('\n', '\ndata: ')}\n\n`;
}

/** Splits pieces of text at LF, CRLF and CR. Pieces of one long line are joined once, not at every piece. */
function createLineReader(onLine: (line: string) => void): { feed(text: string): void; end(): void } {
  let pieces: string[] = [];
  let skipsLineFeed = false;
  const close = (last: string): void => {
    const line = pieces.length === 0 ? last : pieces.join('') + last;
    pieces = [];
    onLine(line);
  };
  return {
    feed(text) {
      if (text === '') return;
      let start = skipsLineFeed && text.startsWith('\n') ? 1 : 0;
      skipsLineFeed = text.endsWith('\r');
      const ends = /\r\n|\r|\n/g;
      ends.lastIndex = start;
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        close(text.slice(start, end.index));
        start = ends.lastIndex;
      }
      if (start < text.length) pieces.push(text.slice(start));
    },
    end() {
      if (pieces.length > 0) close('');
    },
  };
}

function ignore(): void {
  // A source that fails while it is given up has nothing more to tell.
}
