import { z } from 'zod';
import { moveDocument } from '../../documents/move-document.ts';
import { bulkAction } from '../bulk-action.ts';

export const moveAction = bulkAction({
  name: 'move',
  parameters: z.object({ target: z.string().min(1) }),
  run: (scope, id, { target }) =>
    moveDocument(scope, { id }, { target: target.startsWith('/') ? { path: target } : { id: target } }),
});
