import type { MediaPart } from '../../core/node';
import type { RequestPart } from '../../core/request';
import { readBlob } from '../../storage/blobs';
import type { TurnContext } from '../turn-context';
import type { InputTransformer } from './transformer';

/** Puts the bytes of files into the request; a model that can't take one reads a note in its place, so that nothing vanishes silently. */
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
  if (!canTake(part.kind, turn)) return note(part, 'this model cannot read it');
  const blob = await readBlob(turn.environment.database, part.blob);
  if (blob === undefined) return note(part, 'it is no longer stored');
  const base64 = toBase64(new Uint8Array(blob.body.bytes));
  const { kind, mimeType, name } = part;
  return kind === 'image' ? { type: 'image', mimeType, base64 } : { type: 'file', kind, mimeType, name, base64 };
}

function canTake(kind: MediaPart['kind'], { capabilities }: TurnContext): boolean {
  switch (kind) {
    case 'image':
      return capabilities.vision;
    case 'audio':
      return capabilities.audio ?? false;
    case 'document':
      return capabilities.documents ?? false;
  }
}

const NAMES = { image: 'Picture', audio: 'Recording', document: 'Document' } as const;

function note(part: MediaPart, reason: string): RequestPart {
  return { type: 'text', text: `[${NAMES[part.kind]} “${part.name}” left out: ${reason}.]` };
}

/** In slices: `String.fromCharCode` takes only so many arguments. */
function toBase64(bytes: Uint8Array): string {
  const sliceBytes = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += sliceBytes) binary += String.fromCharCode(...bytes.subarray(at, at + sliceBytes));
  return btoa(binary);
}
