import { Invalid } from '../../../errors.ts';
import { blobsIn, documentsIn, variableOf } from '../../chains/variables.ts';
import { documentAt } from '../../documents/document-at.ts';
import { requireFew } from '../../few-items.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

const params = { name: text.required('The name of the variable.') };

const category = 'Execution Context';

const oneOf = <Item>(name: string, [first, ...others]: readonly Item[]): Item => {
  if (first === undefined || others.length > 0)
    throw new Invalid(`${name.slice(0, 80)} does not contain exactly one item.`);
  return first;
};

const onlyInChain = {
  none: 'A variable can only contain a file if Context.SetInputAsVar has set it in the same chain.',
};

export const contextRestoreDocumentInput = operation({
  id: 'Context.RestoreDocumentInput',
  label: 'Restore Document Input',
  category,
  description: 'Returns the document that a variable contains or refers to.',
  example: { params: { name: 'report' }, context: { report: '/default-domain/workspaces/report' } },
  gives: 'document',
  params,
  run: async (context, _, { name }, call) =>
    documentAt(context, oneOf(name, documentsIn(name, variableOf(call, name)))),
});

export const contextRestoreDocumentsInput = operation({
  id: 'Context.RestoreDocumentsInput',
  label: 'Restore Documents Input',
  category,
  description: 'Returns the documents that a variable contains or refers to.',
  example: { params: { name: 'reports' }, context: { reports: ['/default-domain/workspaces/report'] } },
  gives: 'documents',
  params,
  run: async (context, _, { name }, call) => {
    const references = documentsIn(name, variableOf(call, name));
    requireFew(name.slice(0, 80), 'documents', references);
    return { entries: await Promise.all(references.map((each) => documentAt(context, each))) };
  },
});

export const contextRestoreBlobInput = operation({
  id: 'Context.RestoreBlobInput',
  label: 'Restore File Input',
  category,
  description: 'Returns the file in a variable.',
  example: onlyInChain,
  gives: 'blob',
  params,
  run: async (_, __, { name }, call) => oneOf(name, blobsIn(name, variableOf(call, name))),
});

export const contextRestoreBlobsInput = operation({
  id: 'Context.RestoreBlobsInput',
  label: 'Restore Files Input',
  category,
  description: 'Returns the files in a variable.',
  example: onlyInChain,
  gives: 'bloblist',
  params,
  run: async (_, __, { name }, call) => blobsIn(name, variableOf(call, name)),
});
