import { z } from 'zod';
import { requireAdministrator } from '../../../security/principal.ts';
import { trashDocument } from '../../documents/trash/trash.ts';
import { untrashDocument } from '../../documents/trash/untrash.ts';
import { changeAction } from '../bulk-action.ts';
import { trueOrFalse } from '../parameters.ts';

const parameters = z.union(
  [
    z.strictObject({ isTrashed: trueOrFalse }),
    z
      .strictObject({ 'ecm:isTrashed': trueOrFalse })
      .transform((given) => ({ isTrashed: given['ecm:isTrashed'] })),
  ],
  'the one system property that can be set is isTrashed: true or false',
);

export const setSystemPropertiesAction = changeAction({
  name: 'setSystemProperties',
  parameters,
  check: ({ user }) => requireAdministrator(user, 'set system properties'),
  run: (context, id, { isTrashed }) =>
    isTrashed ? trashDocument(context, { id }) : untrashDocument(context, { id }),
});
