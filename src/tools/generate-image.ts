import * as v from 'valibot';
import { HEAD_BYTES, mediaTypeOf } from '../core/media-type';
import type { Part } from '../core/node';
import { PICTURE_SHAPES } from '../core/picture';
import { fromBase64 } from '../storage/base64';
import { saveBlob } from '../storage/blobs';
import { defineTool } from './define-tool';
import { picturesIn } from './shared/pictures';

/** The longest prompt of the models behind it. */
const MAX_PROMPT_CHARACTERS = 4_000;

/** A file name that still fits under its picture. */
const MAX_NAME_CHARACTERS = 40;

/** Lets the turn's provider make a picture, which its user pays for. Stores it; provider codes and storage codes are thrown. */
export const generateImage = defineTool({
  name: 'generate_image',
  group: 'images',
  approval: 'ask',
  isAgentTool: true,
  description:
    'Makes one new picture from a description and shows it to the user. It costs the user money: use it only when the user wants a picture. ' +
    'It can’t change an existing one.',
  parameters: v.strictObject({
    prompt: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(MAX_PROMPT_CHARACTERS),
      v.description('Everything that the picture has to show: subject, style, light, colours, words in it.'),
    ),
    size: v.optional(v.pipe(v.picklist(PICTURE_SHAPES), v.description('Its shape; square where left out.')), 'square'),
  }),
  available: ({ makesImages }) => makesImages,
  execute: async ({ prompt, size }, context) => {
    const { before, answer, database, signal } = context;
    const { base64 } = await context.makeImage(prompt, size);
    signal.throwIfAborted();
    const bytes = fromBase64(base64);
    // What it is its bytes say, not the server.
    const media = bytes === undefined ? null : mediaTypeOf(bytes.subarray(0, HEAD_BYTES));
    if (bytes === undefined || media?.kind !== 'image') {
      return {
        failure: 'failed',
        text: 'The provider answered with something that is no picture. Tell the user; do not try again by yourself.',
      };
    }
    const blob = await saveBlob(database, bytes.buffer, media.mimeType, context.now());
    const name = nameFor(prompt, media.mimeType, [...before, ...answer]);
    return {
      text: `The picture was made and is shown to the user as “${name}”.`,
      media: [{ kind: 'image', blob, mimeType: media.mimeType, name, sizeBytes: bytes.byteLength }],
    };
  },
});

/** A file name from the first words of the prompt that no other picture of the conversation has. */
function nameFor(prompt: string, mimeType: string, parts: readonly Part[]): string {
  const taken = new Set(picturesIn(parts).map(({ name }) => name));
  const words = prompt
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const base =
    Array.from((words ?? []).join('-'))
      .slice(0, MAX_NAME_CHARACTERS)
      .join('')
      .replace(/-$/, '') || 'picture';
  const ending = mimeType.replace('image/', '');
  for (let number = 1; ; number += 1) {
    const name = `${base}${number === 1 ? '' : `-${String(number)}`}.${ending}`;
    if (!taken.has(name)) return name;
  }
}
