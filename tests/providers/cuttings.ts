/** Bytes in pieces; the pieces joined are the bytes again. */
export type Cutting = (bytes: Uint8Array) => Iterable<Uint8Array>;

const SEED = 20_261_130;

/** The ways in which a network may cut a stream. A right reader gives the same result for all of them. */
export const CUTTINGS = {
  'not at all': (bytes) => [bytes],
  'after every byte': (bytes) => everyBytes(bytes, 1),
  'every 7 bytes': (bytes) => everyBytes(bytes, 7),
  // A byte of the form 10xxxxxx continues a character.
  'inside characters': (bytes) => cutBefore(bytes, (index) => ((bytes[index] ?? 0) & 0xc0) === 0x80),
  'between CR and LF': (bytes) => cutBefore(withCrLf(bytes), (index, all) => all[index] === 10 && all[index - 1] === 13),
  'at events': eventBorders,
  'at random': (bytes) => {
    const random = seeded(SEED);
    return cutBefore(bytes, () => random() < 0.03);
  },
} satisfies Readonly<Record<string, Cutting>>;

/** Each event with its blank line as one piece. */
export function eventBorders(bytes: Uint8Array): Iterable<Uint8Array> {
  return cutBefore(
    bytes,
    (index, all) => all[index - 1] === 10 && (all[index - 2] === 10 || (all[index - 2] === 13 && all[index - 3] === 10)),
  );
}

/** A body that hands out one piece a read, as a socket does. */
export function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = rest.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function* everyBytes(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

function* cutBefore(bytes: Uint8Array, isCut: (index: number, bytes: Uint8Array) => boolean): Iterable<Uint8Array> {
  let start = 0;
  for (let index = 1; index < bytes.length; index += 1) {
    if (!isCut(index, bytes)) continue;
    yield bytes.slice(start, index);
    start = index;
  }
  if (start < bytes.length) yield bytes.slice(start);
}

/** LF as CRLF, so that the cut between the two exists in every recording. JSON text holds no bare LF, so no payload changes. */
function withCrLf(bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\r?\n/g, '\r\n'));
}
