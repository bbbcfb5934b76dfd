import { expect, test } from 'vitest';
import { validateDraft } from '../../src/core/capability';
import { EMPTY_DRAFT } from '../../src/core/draft';

const image = { kind: 'image', blob: 'ab', mimeType: 'image/png', name: 'a.png', sizeBytes: 3 } as const;
const pdf = { ...image, kind: 'document', mimeType: 'application/pdf', name: 'a.pdf' } as const;
const sound = { ...image, kind: 'audio', mimeType: 'audio/wav', name: 'a.wav' } as const;
const blind = { vision: false, tools: true, reasoning: false, contextTokens: null };

test.each([
  ['nothing at all', EMPTY_DRAFT, blind, 'message-empty'],
  ['only blanks', { text: ' \n\t ', attachments: [] }, blind, 'message-empty'],
  ['text', { text: 'Hi', attachments: [] }, blind, null],
  ['an image for a model that sees', { text: '', attachments: [image] }, { ...blind, vision: true }, null],
  ['an image for a model that does not see', { text: 'Look', attachments: [image] }, blind, 'image-unsupported'],
  ['a PDF for a model that says nothing of files', { text: '', attachments: [pdf] }, { ...blind, vision: true }, 'document-unsupported'],
  ['a PDF for a model that reads it', { text: '', attachments: [pdf] }, { ...blind, documents: true }, null],
  ['sound for a model that does not hear', { text: '', attachments: [sound] }, { ...blind, audio: false }, 'audio-unsupported'],
  ['sound for a model that hears', { text: '', attachments: [sound] }, { ...blind, audio: true }, null],
  [
    'a picture and sound for a model that only hears',
    { text: '', attachments: [sound, image] },
    { ...blind, audio: true },
    'image-unsupported',
  ],
] as const)('a draft with %s', (_name, draft, capabilities, code) => {
  expect(validateDraft(draft, capabilities)).toBe(code);
});
