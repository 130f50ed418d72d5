import { removeAcl } from '../../store/permissions.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** An ACL taken away (§2.5). */
export const documentRemoveAcl = operation({
  id: 'Document.RemoveACL',
  label: 'Remove ACL',
  category: 'Document',
  description: 'Takes an ACL of the input document away whole.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { acl: required(text, 'The name of the ACL.') },
  run: async (context, document, named) => removeAcl(context, document, named),
});
