import { untagDocuments } from '../../store/tags.ts';
import { texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** The input without some of its labels. */
export const servicesUntagDocument = operation({
  id: 'Services.UntagDocument',
  label: 'Untag Document',
  category: 'Services',
  description: 'Takes labels away from the input documents, and answers them.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: { tags: required(texts, 'Labels, as for tagging; one that is not there does not matter.') },
  run: async (context, documents, { tags }) => ({ entries: await untagDocuments(context, documents, tags) }),
});
