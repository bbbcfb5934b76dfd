import type { ModelCapabilities } from './account';
import { isEmptyDraft, type Draft } from './draft';
import type { ErrorCode } from './errors';

/**
 * Why a draft can't be sent to a model with these capabilities, or null if it can: `message-empty` for blank text without a file,
 * `image-unsupported`, `document-unsupported` or `audio-unsupported` for a file that the model can't take. Composer and worker ask the
 * same question.
 */
export function validateDraft(draft: Draft, capabilities: ModelCapabilities): ErrorCode | null {
  if (isEmptyDraft(draft)) return 'message-empty';
  const holds = (kind: 'image' | 'document' | 'audio'): boolean => draft.attachments.some((file) => file.kind === kind);
  if (!capabilities.vision && holds('image')) return 'image-unsupported';
  if (capabilities.documents !== true && holds('document')) return 'document-unsupported';
  if (capabilities.audio !== true && holds('audio')) return 'audio-unsupported';
  return null;
}
