import { AppError } from '../../core/errors';
import { HEAD_BYTES, MAX_ATTACHMENT_BYTES, mediaTypeOf } from '../../core/media-type';
import type { BlobLike } from '../../core/protocol';
import type { Command } from '../context';

/**
 * Fetches a picture that a message names, after the user asked for it. What comes back is a picture by its bytes, whatever its host calls
 * it. Throws what the gate throws, `attachment-type` for anything else and `attachment-too-large`.
 */
export const loadImage: Command<{ url: string }, BlobLike> = async ({ url }, { environment }, signal) => {
  const response = await environment.gate.fetch(url, { purpose: 'image', signal });
  const bytes = new Uint8Array(await readUpTo(response, MAX_ATTACHMENT_BYTES));
  const media = mediaTypeOf(bytes.subarray(0, HEAD_BYTES));
  if (media?.kind !== 'image') throw new AppError('attachment-type');
  return new Blob([bytes], { type: media.mimeType });
};

/** The whole body, given up as soon as it is too large. */
async function readUpTo(response: Response, maxBytes: number): Promise<ArrayBuffer> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return new Blob(pieces).arrayBuffer();
    pieces.push(new Uint8Array(piece.value));
    sizeBytes += piece.value.byteLength;
    if (sizeBytes <= maxBytes) continue;
    await reader?.cancel();
    throw new AppError('attachment-too-large', { details: { maxBytes } });
  }
}
