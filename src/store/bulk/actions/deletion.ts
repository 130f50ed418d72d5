import { z } from 'zod';
import { deleteDocument } from '../../documents/delete-document.ts';
import { changeAction } from '../bulk-action.ts';

export const deletionAction = changeAction({
  name: 'deletion',
  aliases: ['delete'],
  parameters: z.object({}),
  run: (scope, id) => deleteDocument(scope, { id }),
});
