import { z } from 'zod';
import { moveDocument } from '../../documents/move-document.ts';
import { changeAction } from '../bulk-action.ts';

export const moveAction = changeAction({
  name: 'move',
  parameters: z.object({ target: z.string().min(1) }),
  run: (scope, id, { target }) =>
    moveDocument(scope, { id }, { target: target.startsWith('/') ? { path: target } : { id: target } }),
});
