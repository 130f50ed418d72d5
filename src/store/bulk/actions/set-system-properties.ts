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
      .transform((input) => ({ isTrashed: input['ecm:isTrashed'] })),
  ],
  'isTrashed (true or false) is the only system property that can be set',
);

export const setSystemPropertiesAction = changeAction({
  name: 'setSystemProperties',
  parameters,
  check: ({ user }) => requireAdministrator(user, 'set system properties'),
  run: (context, id, { isTrashed }) =>
    isTrashed ? trashDocument(context, { id }) : untrashDocument(context, { id }),
});
