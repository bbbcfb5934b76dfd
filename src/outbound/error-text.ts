import { isList, isRecord, numberAt, parseJson, recordAt, textAt, type UnknownRecord } from './json';

/** What a server said in any of the shapes in use: objects, strings and lists under `error`, `detail`, `message` and others. */
export interface ErrorFacts {
  /** The server's own words for the user, without markup, at most `MAX_WORDS` characters; empty where it said nothing. */
  readonly message: string;
  /** Message and all codes, types and reasons in lower case, to be searched for known words. */
  readonly searchText: string;
  readonly code?: string;
  /** The name of the request's field that was refused. */
  readonly parameter?: string;
  /** A status inside the body; some gateways answer 200 and put the real one there. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** Long enough for every real explanation, short enough for a card. */
export const MAX_WORDS = 500;

const WORD_KEYS = ['error', 'detail', 'message', 'description', 'msg', 'errors'] as const;
const CODE_KEYS = ['code', 'type', 'status', 'error_type', 'reason', 'error_code'] as const;
const STATUS_KEYS = ['status', 'status_code', 'code', 'http_code', 'statusCode'] as const;

/** Reads an error out of a body's text: JSON of any shape, a web page (its title only), or plain text. */
export function readErrorText(text: string): ErrorFacts {
  const json = parseJson(text);
  if (json !== undefined) return readErrorValue(json);
  const words = /^\s*</.test(text) ? titleOf(text) : text;
  const message = shorten(words);
  return withDelay({ message, searchText: message.toLowerCase() }, delayInWords(message));
}

/** Reads an error out of a parsed value. */
export function readErrorValue(value: unknown): ErrorFacts {
  const message = shorten(wordsOf(value, 0));
  const records = recordsOf(value);
  const codes = records.flatMap((record) => CODE_KEYS.map((key) => record[key]).filter((code) => typeof code === 'string'));
  const code = records.map((record) => textAt(record, 'code') ?? textAt(record, 'type')).find((text) => text !== undefined);
  const parameter = records.map((record) => textAt(record, 'param')).find((text) => text !== undefined);
  const status = records.flatMap((record) => STATUS_KEYS.map((key) => numberAt(record, key))).find(isStatus);
  const facts: ErrorFacts = {
    message,
    searchText: [message, ...codes].join(' \n ').toLowerCase(),
    ...(code === undefined ? {} : { code }),
    ...(parameter === undefined ? {} : { parameter }),
    ...(status === undefined ? {} : { status }),
  };
  return withDelay(facts, delayInDetails(records) ?? delayInWords(message));
}

/** A duration as servers write it ("7", "34.4s", "120ms", "1m30s") in milliseconds, or undefined. A bare number counts seconds. */
export function parseDuration(text: string): number | undefined {
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.round(Number(text) * 1000);
  const match = /^\s*(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?\s*$/.exec(text);
  if (match === null || match[0].trim() === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', milliseconds = '0'] = match;
  return Math.round(Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(milliseconds));
}

/** The first words found, deepest cause first: a gateway's own sentence says less than the one it passes on. */
function wordsOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.trim();
  if (depth > 6) return '';
  if (isList(value)) return value.map((entry) => wordsOf(entry, depth + 1)).find((words) => words !== '') ?? '';
  if (!isRecord(value)) return '';
  const passedOn = textAt(recordAt(value, 'metadata'), 'raw');
  if (passedOn !== undefined) return readErrorText(passedOn).message;
  return WORD_KEYS.map((key) => wordsOf(value[key], depth + 1)).find((words) => words !== '') ?? '';
}

/** The error's objects from the inside out: the error itself before what wraps it, then entries of its details. */
function recordsOf(value: unknown): readonly UnknownRecord[] {
  const root = isList(value) ? value[0] : value;
  if (!isRecord(root)) return [];
  const inner = isRecord(root['error']) ? [root['error']] : [];
  const details = [...inner, root].flatMap((record) => (isList(record['details']) ? record['details'].filter(isRecord) : []));
  return [...inner, root, ...details];
}

function delayInDetails(records: readonly UnknownRecord[]): number | undefined {
  const text = records.map((record) => textAt(record, 'retryDelay')).find((delay) => delay !== undefined);
  return text === undefined ? undefined : parseDuration(text);
}

function delayInWords(message: string): number | undefined {
  const match = /(?:retry|try again) (?:in|after) ([0-9][0-9.hms]*)/i.exec(message);
  return match?.[1] === undefined ? undefined : parseDuration(match[1].replace(/\.$/, ''));
}

function withDelay(facts: ErrorFacts, retryAfterMs: number | undefined): ErrorFacts {
  return retryAfterMs === undefined ? facts : { ...facts, retryAfterMs };
}

function titleOf(page: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1] ?? '';
  return title === '' ? page.replace(/<(style|script)[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>/g, ' ') : title;
}

function shorten(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS - 1)}…` : line;
}

function isStatus(value: number | undefined): value is number {
  return value !== undefined && value >= 400 && value <= 599;
}
