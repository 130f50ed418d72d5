import { removeAcl } from '../../../store/acls/permissions.ts';
import { grantedLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentRemoveAcl = documentMutation({
  id: 'Document.RemoveACL',
  label: 'Remove ACL',
  needs: 'WriteSecurity',
  description: 'Removes an ACL from the input document, and returns the document.',
  example: {
    before: grantedLetter,
    input: '{letter}',
    params: { acl: 'local' },
  },
  params: { acl: text.required('The name of the ACL.') },
  run: removeAcl,
});
