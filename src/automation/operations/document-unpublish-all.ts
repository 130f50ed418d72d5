import { unpublish } from '../../store/unpublish.ts';
import { operation } from '../operation.ts';

/** The input is shown in no section any more (§11). */
export const documentUnpublishAll = operation({
  id: 'Document.UnpublishAll',
  label: 'Unpublish Document',
  category: 'Document',
  description: 'Deletes all proxies of the input document that may be read.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'void',
  params: {},
  run: async (context, document) => {
    await unpublish(context, document);
    return null;
  },
});
