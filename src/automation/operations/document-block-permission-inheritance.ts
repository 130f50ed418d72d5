import { blockInheritance } from '../../store/permissions.ts';
import { aclParam } from '../acl-params.ts';
import { operation } from '../operation.ts';

/** Nothing from above counts (§2.5). */
export const documentBlockPermissionInheritance = operation({
  id: 'Document.BlockPermissionInheritance',
  label: 'Block Permission Inheritance',
  category: 'Document',
  description: 'Lets nothing of the ancestors count any more; the caller and administrators keep everything.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { acl: aclParam },
  run: async (context, document, named) => blockInheritance(context, document, named),
});
