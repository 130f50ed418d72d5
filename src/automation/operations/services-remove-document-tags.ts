import { untagDocuments } from '../../store/tags.ts';
import { operation } from '../operation.ts';

/** The input without any label. */
export const servicesRemoveDocumentTags = operation({
  id: 'Services.RemoveDocumentTags',
  label: 'Remove Document Tags',
  category: 'Services',
  description: 'Takes all labels away from the input documents, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: {},
  run: async (context, documents) => ({ entries: await untagDocuments(context, documents) }),
});
