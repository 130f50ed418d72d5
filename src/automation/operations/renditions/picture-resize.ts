import { convertInput } from '../../blobs/convert-input.ts';
import { operation } from '../../operation.ts';
import { integer } from '../../params/kinds.ts';

export const pictureResize = operation({
  id: 'Picture.Resize',
  aliases: ['Image.Blob.Resize'],
  label: 'Resize a picture',
  category: 'Conversion',
  description:
    'Returns the input pictures, or those of the input documents, within a width and a height; smaller ones stay.',
  example: { input: '/default-domain/workspaces/picture', params: { maxWidth: 200, maxHeight: 200 } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {
    maxWidth: integer.required('The greatest width, in pixels.'),
    maxHeight: integer.required('The greatest height, in pixels.'),
  },
  run: (context, given, { maxWidth: width, maxHeight: height }) =>
    convertInput(
      context,
      given,
      { converter: 'pictureResize', parameters: { width, height } },
      { names: { converter: 'input', width: 'maxWidth', height: 'maxHeight' } },
    ),
});
