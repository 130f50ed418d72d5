import { replacePermission } from '../../store/permissions.ts';
import { aclParam, aclTimes } from '../acl-params.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Another ACE in the place of one (§2.5). */
export const documentReplacePermission = operation({
  id: 'Document.ReplacePermission',
  label: 'Replace Permission',
  category: 'Document',
  description:
    'Puts another ACE in the place of one, and answers the input document; an id that no ACE has changes nothing.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    id: required(text, 'The id of the ACE that goes.'),
    username: required(text, 'A user, a group, or Everyone.', { aliases: ['user'] }),
    permission: required(text, 'What is granted.'),
    acl: aclParam,
    ...aclTimes,
  },
  run: async (context, document, replacement) => replacePermission(context, document, replacement),
});
