import { documentAt, referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** A document by what names it. */
export const repositoryGetDocument = operation({
  id: 'Repository.GetDocument',
  aliases: ['Document.Fetch'],
  label: 'Get Document',
  category: 'Fetch',
  description: 'Answers the document of an id or a path.',
  kind: 'query',
  takes: ['void'],
  gives: 'document',
  params: { value: required(reference, 'The id or the path.') },
  run: async (context, _, { value }) => documentAt(context, referenceTo(value)),
});
