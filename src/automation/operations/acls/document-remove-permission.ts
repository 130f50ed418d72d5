import { removePermission } from '../../../store/acls/permissions.ts';
import { grantedLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';
import { aclParam } from '../../params/shared-params.ts';

export const documentRemovePermission = documentMutation({
  id: 'Document.RemovePermission',
  label: 'Remove Permission',
  needs: 'WriteSecurity',
  description:
    'Removes all ACEs of a user or group, or one ACE, from the input document, and returns the document.',
  example: {
    before: grantedLetter,
    input: '{letter}',
    params: { user: 'ina' },
  },
  params: {
    id: text.optional('The id of the ACE.'),
    user: text.optional('The user or group whose ACEs are all removed; the id is ignored then.', {
      aliases: ['username'],
    }),
    acl: aclParam,
  },
  run: removePermission,
});
