import { unpublish } from '../../store/unpublish.ts';
import { operation } from '../operation.ts';

/** The same as Document.UnpublishAll, with another answer (§11). */
export const documentRemoveProxies = operation({
  id: 'Document.RemoveProxies',
  label: 'Remove Proxies',
  category: 'Document',
  description: 'Deletes all proxies of the input document that may be read, and answers the document.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {},
  run: async (context, document) => unpublish(context, document),
});
