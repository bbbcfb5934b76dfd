import type { Protocol } from '../../tests/support/wire-turns';
import { recorded } from './places';
import type { Answer } from './replay-server';

/** What an answer says before it calls. */
export const BEFORE = ['words', 'thoughts', 'nothing'] as const;
export type Before = (typeof BEFORE)[number];

/** An answer that ends in the middle of a call's arguments. */
export interface HalfCall {
  readonly stream: string;
  readonly tool: string;
  /** The arguments as far as they came; empty where the protocol's come as pieces of an object, which are no text yet. */
  readonly argumentsText: string;
}

/** The half answer of a protocol. Where nobody recorded one whole, its blocks are of several recordings. */
export function halfCall(protocol: Protocol, before: Before): HalfCall {
  return HALVES[protocol][before]();
}

/** Sends what there is of an answer, and then waits for a client that gives up. */
export function unfinished(stream: string): Answer {
  return { type: 'raw', pieces: [stream], ending: 'silence' };
}

/** The events of a recording up to the first that has `mark` in it. */
export function eventsTo(name: string, mark: string): string {
  const events = eventsOf(name);
  const end = events.findIndex((event) => event.includes(mark));
  if (end === -1) throw new Error(`${name} has no ${mark}.`);
  return join(events.slice(0, end + 1));
}

/** The events from the first with `from` in it to the first with `to`, as those of the content block or item at `place`. */
function blockAt(place: number, name: string, from: string, to: string): string {
  const events = eventsOf(name);
  const begin = events.findIndex((event) => event.includes(from));
  const end = events.findIndex((event) => event.includes(to));
  if (begin === -1 || end < begin) throw new Error(`${name} has no ${from} before a ${to}.`);
  return join(events.slice(begin, end + 1)).replaceAll(/"((?:output_)?index)":\d+/g, `"$1":${place}`);
}

function eventsOf(name: string): readonly string[] {
  return recorded(name).split(/\r?\n\r?\n/);
}

function join(events: readonly string[]): string {
  return events.map((event) => `${event}\n\n`).join('');
}

/** A thought of Anthropic's with its signature, in the first block. */
export const signedThought = (): string => eventsTo('anthropic/thinking-signature', '"content_block_stop"');

const anthropicCall = (place: number): string => blockAt(place, 'anthropic/tool-use', '"tool_use"', String.raw`on\": \"P`);
const WEATHER = { tool: 'get_weather', argumentsText: '{"location": "P' };

const googleCall = (): string => eventsTo('gemini/stream-args', 'Boston');
const PLACE_WEATHER = { tool: 'getWeather', argumentsText: '' };

/** A thought of OpenAI's with its encrypted form, in the first item. */
export const encryptedThought = (): string => eventsTo('openai-responses/reasoning-encrypted-1', 'response.output_item.done');
const responsesWords = (place: number): string =>
  blockAt(place, 'openai-responses/tool-then-text-2', 'response.output_item.added', 'response.output_item.done');
const responsesCall = (place: number): string =>
  blockAt(place, 'openai-responses/tool-then-text-1', 'response.output_item.added', '"delta":"country"');
const CAPITAL = { tool: 'get_capital', argumentsText: '{"country' };

const HALVES: Readonly<Record<Protocol, Readonly<Record<Before, () => HalfCall>>>> = {
  'openai-chat': {
    words: () => ({
      stream: eventsTo('authored/transport/cut-mid-tool-call', 'call_cut'),
      tool: 'write_note',
      argumentsText: '{"title":"Gro',
    }),
    thoughts: () => ({
      stream: eventsTo('openrouter/reasoning-details-tool', String.raw`\"Berlin"`),
      tool: 'reasoning_weather',
      argumentsText: '{"city": "Berlin',
    }),
    // One call that is whole, and one that isn't.
    nothing: () => ({
      stream: eventsTo('openai-chat/parallel-tools', String.raw`: \"AAP`),
      tool: 'get_stock_price',
      argumentsText: '{"ticker": "AAP',
    }),
  },
  'anthropic-messages': {
    words: () => ({
      stream: `${signedThought()}${blockAt(1, 'anthropic/tool-use', '"type":"text"', '"content_block_stop"')}${anthropicCall(2)}`,
      ...WEATHER,
    }),
    thoughts: () => ({ stream: `${signedThought()}${anthropicCall(1)}`, ...WEATHER }),
    nothing: () => ({ stream: `${eventsTo('anthropic/tool-use', '"message_start"')}${anthropicCall(0)}`, ...WEATHER }),
  },
  'google-generative': {
    words: () => ({ stream: `${eventsTo('gemini/reasoning-gemini3', 'St**r**awbe')}${googleCall()}`, ...PLACE_WEATHER }),
    thoughts: () => ({
      stream: `${eventsTo('gemini/fb-thought-summary-function', 'Determining the Approach')}${googleCall()}`,
      ...PLACE_WEATHER,
    }),
    nothing: () => ({ stream: googleCall(), ...PLACE_WEATHER }),
  },
  'openai-responses': {
    words: () => ({ stream: `${encryptedThought()}${responsesWords(1)}${responsesCall(2)}`, ...CAPITAL }),
    thoughts: () => ({
      stream: eventsTo('openai-responses/reasoning-encrypted-1', '"delta":"7"'),
      tool: 'calculator',
      argumentsText: '{"a":12,"b":7',
    }),
    nothing: () => ({ stream: `${eventsTo('openai-responses/tool-then-text-1', 'response.in_progress')}${responsesCall(0)}`, ...CAPITAL }),
  },
};
