import { unblockInheritance } from '../../store/permissions.ts';
import { aclParam } from '../acl-params.ts';
import { operation } from '../operation.ts';

/** What is granted above counts again (§2.5). */
export const documentUnblockPermissionInheritance = operation({
  id: 'Document.UnblockPermissionInheritance',
  label: 'Unblock Permission Inheritance',
  category: 'Document',
  description: 'Lets the ACEs of the ancestors count again, and changes nothing else.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { acl: aclParam },
  run: async (context, document, named) => unblockInheritance(context, document, named),
});
