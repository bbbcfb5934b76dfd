import { startDigest, type Digest } from './digest';
import { invalidFile } from './model-request';
import { piecesOf } from './pieces';
import { quotaOr } from './space';

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What a body has to be. */
export interface Expected {
  /** For the words of a failure. */
  readonly name: string;
  /** Null where nobody said it. */
  readonly bytes: number | null;
  readonly digest: Digest | null;
  /** Called with what was received so far. */
  readonly onBytes: (bytes: number) => void;
}

/** A body that ends well only if its bytes are what they should be. */
export interface CheckedBody {
  readonly body: Body;
  /** Throws why the body failed: whoever read it only knows that it did. Else what `error` means for a store. */
  readonly fail: (error: unknown) => never;
}

/** Passes a body on, uncopied, and lets it fail where it is not what was expected: whoever stores it then stores nothing. */
export function checkedBody(source: Body | null, expected: Expected): CheckedBody {
  let failure: unknown;
  const pieces = checked(source, expected);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          failure = error;
          controller.error(error);
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const fail = (error: unknown): never => {
    throw failure instanceof Error ? failure : quotaOr(error);
  };
  return { body, fail };
}

async function* checked(
  source: Body | null,
  { name, bytes, digest, onBytes }: Expected,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const sum = await startDigest(digest);
  let received = 0;
  for await (const piece of piecesOf(source)) {
    received += piece.byteLength;
    if (bytes !== null && received > bytes) throw invalidFile(name, 'size');
    sum.add(piece);
    onBytes(received);
    yield piece;
  }
  if (bytes !== null && received !== bytes) throw invalidFile(name, 'size');
  if (!sum.isMet()) throw invalidFile(name, 'sum');
  return undefined;
}
