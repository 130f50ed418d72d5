import { Invalid } from '../../../errors.ts';
import { calledParams, runCalled } from '../../chains/called.ts';
import { anyInput, operation } from '../../operation.ts';

export const runInputOperation = operation({
  id: 'RunInputOperation',
  aliases: ['Context.RunInputOperation'],
  label: 'Run Chain On Input',
  category: 'Execution Flow',
  description: 'Runs an operation or a chain on the input, which is required, and returns its output.',
  example: { input: '/default-domain/workspaces/report', params: { id: 'Document.GetParent' } },
  kind: 'mutation',
  takes: anyInput,
  gives: 'object',
  params: calledParams,
  run: async (context, input, params, call) => {
    if (call.input.kind === 'void') throw new Invalid('input is required.');
    return runCalled(context, input, params, call);
  },
});
