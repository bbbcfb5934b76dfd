import type { ModelCapabilities } from './account';
import { isEmptyDraft, type Draft } from './draft';
import type { ErrorCode } from './errors';

/**
 * Why a draft can't be sent to a model with these capabilities, or null if it can: `message-empty` for blank text without a file,
 * `image-unsupported` for a new image that the model can't see. Composer and worker ask the same question.
 */
export function validateDraft(draft: Draft, capabilities: ModelCapabilities): ErrorCode | null {
  if (isEmptyDraft(draft)) return 'message-empty';
  if (!capabilities.vision && draft.attachments.some((file) => file.kind === 'image')) return 'image-unsupported';
  return null;
}
