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
    'Removes one ACE, or all ACEs of a user, a group or a guest, from the input document, and returns the document.',
  example: {
    before: grantedLetter,
    input: '{letter}',
    params: { user: 'ina' },
  },
  params: {
    id: text.optional('The id of the ACE.'),
    user: text.optional(
      'The user, group or guest whose ACEs are all removed. If present, the id is ignored.',
      {
        aliases: ['username'],
      },
    ),
    email: text.optional('The e-mail address of a guest whose ACEs are all removed, if no user is given.'),
    acl: aclParam,
  },
  run: async (context, document, params) => removePermission(context, document, params),
});
