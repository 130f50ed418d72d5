import { documentAt, referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const repositoryGetDocument = operation({
  id: 'Repository.GetDocument',
  aliases: ['Document.Fetch'],
  label: 'Get Document',
  category: 'Fetch',
  description: 'Returns the document with the given id or path.',
  example: { params: { value: '/default-domain/workspaces/report' } },
  gives: 'document',
  params: { value: reference.required('The id or the path.') },
  run: async (context, _, { value }) => documentAt(context, referenceTo(value)),
});
