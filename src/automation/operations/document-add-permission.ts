import { addPermission } from '../../store/permissions.ts';
import { aclParam, aclTimes } from '../acl-params.ts';
import { flag, text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** A permission for somebody (§2.5). */
export const documentAddPermission = operation({
  id: 'Document.AddPermission',
  aliases: ['Document.AddACL'],
  label: 'Add Permission',
  category: 'Document',
  description:
    'Grants a permission on the input document, and answers it; what is granted already is not granted again.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    users: optional(texts, 'Users and groups who get it.'),
    username: optional(text, 'One more user or group.', { aliases: ['user'] }),
    email: optional(text, 'Of a guest, when nobody else is named; then end must be given.'),
    permission: required(text, 'What is granted.'),
    acl: aclParam,
    ...aclTimes,
    blockInheritance: optionally(flag, false, 'Whether what the ancestors grant no longer counts.'),
  },
  run: async (context, document, { users = [], username, ...added }) => {
    const names = [...users, ...(username ? [username] : [])];
    return addPermission(context, document, { ...added, users: names });
  },
});
