import type { MediaPart } from '../../core/node';
import type { RequestPart } from '../../core/request';
import { readBlob } from '../../storage/blobs';
import type { TurnContext } from '../turn-context';
import type { InputTransformer } from './transformer';

/** Puts the bytes of pictures into the request; a model that can't see reads a note in their place, so that nothing vanishes silently. */
export const media: InputTransformer = {
  id: 'media',
  async apply(request, turn) {
    const history = [];
    for (const message of request.history) {
      const parts: RequestPart[] = [];
      for (const part of message.parts) parts.push(part.type === 'media' ? await toRequestPart(part, turn) : part);
      history.push({ ...message, parts });
    }
    return { ...request, history };
  },
};

async function toRequestPart(part: MediaPart, turn: TurnContext): Promise<RequestPart> {
  if (!turn.capabilities.vision) return note(part, 'this model cannot see pictures');
  const blob = await readBlob(turn.environment.database, part.blob);
  if (blob === undefined) return note(part, 'the file is no longer stored');
  return { type: 'image', mimeType: part.mimeType, base64: toBase64(new Uint8Array(blob.body.bytes)) };
}

function note(part: MediaPart, reason: string): RequestPart {
  return { type: 'text', text: `[Picture “${part.name}” left out: ${reason}.]` };
}

/** In slices: `String.fromCharCode` takes only so many arguments. */
function toBase64(bytes: Uint8Array): string {
  const sliceBytes = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += sliceBytes) binary += String.fromCharCode(...bytes.subarray(at, at + sliceBytes));
  return btoa(binary);
}
