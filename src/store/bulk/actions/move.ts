import { z } from 'zod';
import { moveDocument } from '../../documents/move-document.ts';
import { changeAction } from '../bulk-action.ts';
import { requiredString } from '../parameters.ts';

export const moveAction = changeAction({
  name: 'move',
  parameters: z.object({ target: requiredString }),
  run: (scope, id, { target }) =>
    moveDocument(scope, { id }, { target: target.startsWith('/') ? { path: target } : { id: target } }),
});
