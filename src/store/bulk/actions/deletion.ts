import { z } from 'zod';
import { deleteDocument } from '../../documents/delete-document.ts';
import { bulkAction } from '../bulk-action.ts';

export const deletionAction = bulkAction({
  name: 'deletion',
  aliases: ['delete'],
  parameters: z.object({}),
  run: (scope, id) => deleteDocument(scope, { id }),
});
