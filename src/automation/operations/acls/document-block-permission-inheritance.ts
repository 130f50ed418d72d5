import { blockInheritance } from '../../../store/acls/permissions.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { aclParam } from '../../params/shared-params.ts';

export const documentBlockPermissionInheritance = documentMutation({
  id: 'Document.BlockPermissionInheritance',
  label: 'Block Permission Inheritance',
  needs: 'WriteSecurity',
  description:
    'Blocks inherited permissions on the input document, except for the caller and administrators; returns the document.',
  example: { before: [newLetter], input: '{letter}' },
  params: { acl: aclParam },
  run: blockInheritance,
});
