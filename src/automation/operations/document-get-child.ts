import { NotFound } from '../../errors.ts';
import { childPath } from '../../model/names.ts';
import { documentAt } from '../document-at.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { required } from '../params.ts';

/** What is in the input under a name. */
export const documentGetChild = operation({
  id: 'Document.GetChild',
  label: 'Get Child',
  category: 'Document',
  description: 'Answers the child of the input document that has a name.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { name: required(text, 'The name of the child.') },
  run: async (context, document, { name }) => {
    const { path } = await documentAt(context, document);
    if (name.includes('/') || name === '') throw new NotFound(`${path} has no child called "${name}"`);
    return documentAt(context, { path: childPath(path, name) });
  },
});
