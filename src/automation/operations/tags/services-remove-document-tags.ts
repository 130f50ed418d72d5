import { untagDocuments } from '../../../store/tags/tags.ts';
import { documentsMutation } from '../../operation.ts';

export const servicesRemoveDocumentTags = documentsMutation({
  id: 'Services.RemoveDocumentTags',
  label: 'Remove Document Tags',
  needs: 'Write',
  category: 'Services',
  description: 'Removes all tags from the input documents, and returns the documents.',
  example: { input: '/default-domain/workspaces/report' },
  run: async (context, documents) => ({ entries: await untagDocuments(context, documents) }),
});
