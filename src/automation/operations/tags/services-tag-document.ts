import { tagDocuments } from '../../../store/tags/tags.ts';
import { documentsMutation } from '../../operation.ts';
import { texts } from '../../params/kinds.ts';

export const servicesTagDocument = documentsMutation({
  id: 'Services.TagDocument',
  label: 'Tag Document',
  needs: 'Read',
  category: 'Services',
  description: 'Tags the input documents, and returns them; needs Read.',
  example: { input: '/default-domain/workspaces/report', params: { tags: ['urgent', 'final'] } },
  params: { tags: texts.required('Labels, which become lower case, without blanks, slashes, quotes and %.') },
  run: async (context, documents, { tags }) => ({ entries: await tagDocuments(context, documents, tags) }),
});
