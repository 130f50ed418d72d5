import { Invalid } from '../../../errors.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { calledParams, runCalled } from '../../chains/called.ts';
import { documentMutation } from '../../operation.ts';

export const runDocumentOperation = documentMutation({
  id: 'RunDocumentOperation',
  aliases: ['Context.RunDocumentOperation'],
  label: 'Run Document Chain',
  category: 'Execution Flow',
  description: 'Runs an operation or a chain on the input document, and returns the resulting document.',
  example: { input: '/default-domain/workspaces/report', params: { id: 'Document.GetParent' } },
  params: calledParams,
  run: async (context, input, params, call) => {
    const { kind, value } = await runCalled(context, input, params, call);
    if (kind !== 'document')
      throw new Invalid(`id: ${params.id.slice(0, 80)} must return a document, but returns ${kind}.`);
    return value as DocumentRow;
  },
});
