import * as v from 'valibot';
import { defineTool } from './define-tool';
import { picturesIn } from './shared/pictures';

/** Shows a picture of this conversation again. */
export const showImage = defineTool({
  name: 'show_image',
  group: 'images',
  approval: 'never',
  isAgentTool: true,
  description: 'Show the user a picture that stands in this conversation: one that was attached, or that a tool made.',
  parameters: v.strictObject({ name: v.pipe(v.string(), v.description('Its file name. Of several the newest is shown.')) }),
  rule: ['# Pictures', '- Show a picture only with show_image; an address or Markdown in your text shows nothing.'].join('\n'),
  available: ({ hasFiles }) => hasFiles,
  execute: async ({ name }, { before, answer }) => {
    const pictures = picturesIn([...before, ...answer]);
    const picture = pictures.findLast((candidate) => candidate.name === name);
    if (picture === undefined) {
      const names = [...new Set(pictures.map((known) => `“${known.name}”`))].join(', ');
      return Promise.resolve({
        failure: 'refused',
        text: `There is no picture “${name}” here. ${names === '' ? 'There are none.' : `There are: ${names}.`}`,
      });
    }
    const { kind, blob, mimeType, sizeBytes } = picture;
    return Promise.resolve({ text: `“${name}” is shown to the user.`, media: [{ kind, blob, mimeType, name, sizeBytes }] });
  },
});
