import { calledParams, runCalled } from '../../chains/called.ts';
import { anyInput, operation } from '../../operation.ts';

export const runOperationOperation = operation({
  id: 'RunOperation',
  aliases: ['Context.RunOperation'],
  label: 'Run Chain',
  category: 'Execution Flow',
  description: 'Runs an operation or a chain on the input, and returns its output.',
  example: { input: '/default-domain/workspaces/report', params: { id: 'Document.GetParent' } },
  kind: 'mutation',
  takes: anyInput,
  gives: 'object',
  params: calledParams,
  run: runCalled,
});
