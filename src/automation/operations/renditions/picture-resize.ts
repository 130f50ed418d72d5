import { convertInput } from '../../blobs/convert-input.ts';
import { operation } from '../../operation.ts';
import { integer } from '../../params/kinds.ts';

export const pictureResize = operation({
  id: 'Picture.Resize',
  aliases: ['Image.Blob.Resize'],
  label: 'Resize a picture',
  category: 'Conversion',
  description:
    'Returns the input pictures, or the pictures in the input documents, reduced to a maximum width and height.',
  example: { input: '/default-domain/workspaces/picture', params: { maxWidth: 200, maxHeight: 200 } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: {
    maxWidth: integer.required('The maximum width in pixels.'),
    maxHeight: integer.required('The maximum height in pixels.'),
  },
  run: (context, input, { maxWidth: width, maxHeight: height }) =>
    convertInput(
      context,
      input,
      { converter: 'pictureResize', parameters: { width, height } },
      { names: { converter: 'input', width: 'maxWidth', height: 'maxHeight' } },
    ),
});
