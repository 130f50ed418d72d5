import { unblockInheritance } from '../../../store/acls/permissions.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { aclParam } from '../../params/shared-params.ts';

export const documentUnblockPermissionInheritance = documentMutation({
  id: 'Document.UnblockPermissionInheritance',
  label: 'Unblock Permission Inheritance',
  needs: 'WriteSecurity',
  description:
    'Unblocks inherited permissions on the input document, without changing any other ACE, and returns the document.',
  example: {
    before: [newLetter, { call: 'Document.BlockPermissionInheritance', input: '{letter}' }],
    input: '{letter}',
  },
  params: { acl: aclParam },
  run: unblockInheritance,
});
