import { addPermission } from '../../../store/acls/permissions.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { flag, shortText, text, texts } from '../../params/kinds.ts';
import { aceTimeParams, aclParam } from '../../params/shared-params.ts';

export const documentAddPermission = documentMutation({
  id: 'Document.AddPermission',
  aliases: ['Document.AddACL'],
  label: 'Add Permission',
  needs: 'WriteSecurity',
  description:
    'Grants a permission on the input document, unless it is already granted, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { users: ['ina'], permission: 'ReadWrite' } },
  params: {
    users: texts.optional('Users and groups.'),
    username: shortText.optional('An additional user or group.', { aliases: ['user'] }),
    email: text.optional('The e-mail address of a guest, if no user or group is given; requires end.'),
    permission: text.required('The permission.'),
    acl: aclParam,
    ...aceTimeParams,
    blockInheritance: flag.withDefault(false, 'Whether to block the inheritance of permissions.'),
  },
  run: async (context, document, { users = [], username, ...added }) => {
    const names = [...users, ...(username ? [username] : [])];
    return addPermission(context, document, { ...added, users: names });
  },
});
