import type { MediaPart } from '../../core/node';
import type { RequestPart } from '../../core/request';
import { readBlob } from '../../storage/blobs';
import type { TurnContext } from '../turn-context';
import type { InputTransformer, WorkingCall } from './transformer';

/** Puts the bytes of files into the request; a model that can't take one reads a note in its place, so that nothing vanishes silently. */
export const media: InputTransformer = {
  id: 'media',
  async apply(request, turn) {
    const history = [];
    for (const message of request.history) {
      const parts: RequestPart[] = [];
      for (const part of message.parts) {
        if (part.type === 'media') parts.push(await toRequestPart(part, turn));
        else parts.push(part.type === 'tool-call' ? await withPictures(part, turn) : part);
      }
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

/** The pictures of a result as the model can take them. */
async function withPictures({ pictures = [], ...call }: WorkingCall, turn: TurnContext): Promise<RequestPart> {
  const loaded = await Promise.all(pictures.map((picture) => toRequestPart(picture, turn)));
  const images = loaded.flatMap((part) => (part.type === 'image' ? [{ mimeType: part.mimeType, base64: part.base64 }] : []));
  const notes = loaded.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (loaded.length === 0) return call;
  return { ...call, result: { ...call.result, text: [call.result.text, ...notes].join('\n\n'), images } };
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
