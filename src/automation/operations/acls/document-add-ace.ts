import { addAce } from '../../../store/acls/permissions.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { flag, text } from '../../params/kinds.ts';
import { aclParam } from '../../params/shared-params.ts';

export const documentAddAce = documentMutation({
  id: 'Document.AddACE',
  aliases: ['Document.SetACE'],
  label: 'Add ACE',
  needs: 'WriteSecurity',
  description:
    'Adds an ACE to an ACL of the input document, or replaces the ACL with it, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { user: 'ina', permission: 'Read' } },
  params: {
    user: text.required('A user, a group, or Everyone.', { aliases: ['username'] }),
    permission: text.required('The permission.'),
    acl: aclParam,
    grant: flag.withDefault(true, 'Whether the ACE grants (true) or denies (false) the permission.'),
    overwrite: flag.withDefault(true, 'Whether all other ACEs of the ACL are removed.'),
  },
  run: async (context, document, { user: username, grant: granted, ...ace }) =>
    (await addAce(context, document, { ...ace, username, granted })).document,
});
