import { z } from 'zod';
import { trashDocument } from '../../documents/trash/trash.ts';
import { untrashDocument } from '../../documents/trash/untrash.ts';
import { changeAction } from '../bulk-action.ts';

const parameters = z.object({});

export const trashAction = changeAction({
  name: 'trash',
  parameters,
  run: (scope, id) => trashDocument(scope, { id }),
});

export const untrashAction = changeAction({
  name: 'untrash',
  parameters,
  run: (scope, id) => untrashDocument(scope, { id }),
});
