import { untagDocuments } from '../../../store/tags/tags.ts';
import { documentsMutation } from '../../operation.ts';
import { texts } from '../../params/kinds.ts';

export const servicesUntagDocument = documentsMutation({
  id: 'Services.UntagDocument',
  label: 'Untag Document',
  needs: 'Write',
  category: 'Services',
  description: 'Removes tags from the input documents, and returns the documents.',
  example: { input: '/default-domain/workspaces/report', params: { tags: ['final'] } },
  params: {
    tags: texts.required(
      'The labels, normalized as for tagging. Labels that a document does not have are ignored.',
    ),
  },
  run: async (context, documents, { tags }) => ({ entries: await untagDocuments(context, documents, tags) }),
});
