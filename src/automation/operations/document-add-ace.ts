import { addAce } from '../../store/permissions.ts';
import { aclParam } from '../acl-params.ts';
import { flag, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

/** One ACE (§2.5). */
export const documentAddAce = operation({
  id: 'Document.AddACE',
  aliases: ['Document.SetACE'],
  label: 'Add ACE',
  category: 'Document',
  description: 'Adds an ACE to an ACL of the input document, or makes it the only one there.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    user: required(text, 'A user, a group, or Everyone.', { aliases: ['username'] }),
    permission: required(text, 'What is granted or denied.'),
    acl: aclParam,
    grant: optionally(flag, true, 'Whether it grants; otherwise it denies.'),
    overwrite: optionally(flag, true, 'Whether it becomes the only one of its ACL.'),
  },
  run: async (context, document, { user: username, grant: granted, ...ace }) =>
    addAce(context, document, { ...ace, username, granted }),
});
