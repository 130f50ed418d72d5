import { tagDocuments } from '../../store/tags.ts';
import { texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** Labels for the input. */
export const servicesTagDocument = operation({
  id: 'Services.TagDocument',
  label: 'Tag Document',
  category: 'Services',
  description: 'Tags the input documents, and answers them; whoever may read one may tag it.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { tags: required(texts, 'Labels: made lower case, without blanks, slashes, quotes and %.') },
  run: async (context, documents, { tags }) => ({ entries: await tagDocuments(context, documents, tags) }),
});
