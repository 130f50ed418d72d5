import { replacePermission } from '../../../store/acls/permissions.ts';
import { grantedLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';
import { aceTimeParams, aclParam } from '../../params/shared-params.ts';

export const documentReplacePermission = documentMutation({
  id: 'Document.ReplacePermission',
  label: 'Replace Permission',
  needs: 'WriteSecurity',
  description:
    'Replaces an ACE of the input document, and returns the document. Responds with 404 if the ACL has no ACE with this id.',
  example: {
    before: grantedLetter,
    input: '{letter}',
    params: { id: 'ina:Read:true:Administrator::', username: 'ina', permission: 'ReadWrite' },
  },
  params: {
    id: text.required('The id of the ACE.'),
    username: shortText.required('A user, a group, or Everyone.', { aliases: ['user'] }),
    permission: text.required('The permission.'),
    acl: aclParam,
    ...aceTimeParams,
  },
  run: replacePermission,
});
