import { removePermission } from '../../store/permissions.ts';
import { aclParam } from '../acl-params.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** ACEs taken away (§2.5). */
export const documentRemovePermission = operation({
  id: 'Document.RemovePermission',
  label: 'Remove Permission',
  category: 'Document',
  description: 'Takes away all ACEs of a user or group, or else one ACE, and answers the input document.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    id: optional(text, 'The id of the ACE that goes.'),
    user: optional(text, 'Whose ACEs all go; counts before the id.', { aliases: ['username'] }),
    acl: aclParam,
  },
  run: async (context, document, removed) => removePermission(context, document, removed),
});
