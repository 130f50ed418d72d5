import { tagDocuments } from '../../../store/tags/tags.ts';
import { documentsMutation } from '../../operation.ts';
import { texts } from '../../params/kinds.ts';

export const servicesTagDocument = documentsMutation({
  id: 'Services.TagDocument',
  label: 'Tag Document',
  needs: 'Read',
  category: 'Services',
  description: 'Adds tags to the input documents, and returns the documents; requires Read.',
  example: { input: '/default-domain/workspaces/report', params: { tags: ['urgent', 'final'] } },
  params: {
    tags: texts.required('The labels. They are stored in lower case, without spaces, slashes, quotes and %.'),
  },
  run: async (context, documents, { tags }) => ({ entries: await tagDocuments(context, documents, tags) }),
});
