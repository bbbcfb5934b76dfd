import type { MediaPart } from './node';

/** What the composer holds before it is sent. Files are already blobs. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

export interface DraftAttachment {
  readonly kind: MediaPart['kind'];
  readonly blob: string;
  readonly mimeType: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export const EMPTY_DRAFT: Draft = { text: '', attachments: [] };

/** True where nothing would be sent: blank text and no file. */
export function isEmptyDraft(draft: Draft): boolean {
  return draft.text.trim() === '' && draft.attachments.length === 0;
}

/** The parts of the user's message, attachments first as the reader sees them. */
export function draftParts(draft: Draft): readonly (MediaPart | { type: 'text'; step: 0; text: string })[] {
  const media = draft.attachments.map((file): MediaPart => ({ type: 'media', step: 0, ...file }));
  return draft.text.trim() === '' ? media : [...media, { type: 'text', step: 0, text: draft.text }];
}
