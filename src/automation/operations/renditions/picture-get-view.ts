import { pictureViews } from '../../../converters/picture-views.ts';
import { makeRendition } from '../../../loaders/renditions/index.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { oneOf } from '../../params/kinds.ts';

export const pictureGetView = operation({
  id: 'Picture.GetView',
  label: 'Get image view',
  category: 'Files',
  description: 'Returns the picture in the input document in another size.',
  example: { input: '/default-domain/workspaces/picture', params: { viewName: 'Small' } },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: { viewName: oneOf(...pictureViews).withDefault('Medium', 'The name of the view.') },
  run: async (context, document, { viewName }) => {
    const row = await documentAt(context, document);
    return { ...(await makeRendition(context, row, viewName)), document: row };
  },
});
