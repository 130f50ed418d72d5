import { NotFound } from '../../../errors.ts';
import { childPath } from '../../../model/names.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentQuery } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const documentGetChild = documentQuery({
  id: 'Document.GetChild',
  label: 'Get Child',
  description: 'Returns the child of the input document with the given name.',
  example: { input: '/default-domain/workspaces', params: { name: 'report' } },
  params: { name: text.required('The name of the child.') },
  run: async (context, document, { name }) => {
    const { path } = await documentAt(context, document);
    if (name.includes('/') || name === '') throw new NotFound(`${path} has no child called "${name}"`);
    return documentAt(context, { path: childPath(path, name) });
  },
});
