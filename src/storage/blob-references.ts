import type { Part, StepContent } from '../core/node';
import type { BlobReferenceRow, JackdawDatabase } from './db';

/** The rows that say which blobs an owner's steps use. */
export function referencesOf(ownerId: string, conversationId: string, steps: readonly StepContent[]): BlobReferenceRow[] {
  const hashes = new Set(steps.flatMap((step) => step.parts).flatMap(blobsOfPart));
  return [...hashes].map((hash) => ({ hash, ownerId, conversationId }));
}

/** Makes `rows` the only references of an owner. Runs in the caller's transaction over `blobReferences`. */
export async function replaceReferences(database: JackdawDatabase, ownerId: string, rows: readonly BlobReferenceRow[]): Promise<void> {
  await dropReferences(database, ownerId);
  if (rows.length > 0) await database.blobReferences.bulkPut([...rows]);
}

/** Removes every reference of an owner. Runs in the caller's transaction over `blobReferences`. */
export async function dropReferences(database: JackdawDatabase, ownerId: string): Promise<void> {
  await database.blobReferences.where('ownerId').equals(ownerId).delete();
}

/** The owner id of a draft's references. */
export function draftOwner(key: string): string {
  return `draft:${key}`;
}

function blobsOfPart(part: Part): readonly string[] {
  switch (part.type) {
    case 'media':
      return [part.blob];
    case 'tool':
      return [
        ...(part.result?.media.map((media) => media.blob) ?? []),
        ...(part.result?.stored === undefined ? [] : [part.result.stored.blob]),
      ];
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'citation':
    case 'hosted':
      return [];
  }
}
