import { valueOfInput } from '../../chains/evaluate.ts';
import { setVariable } from '../../chains/variables.ts';
import { outcomeOfInput } from '../../input.ts';
import { anyInput, operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const contextSetInputAsVar = operation({
  id: 'Context.SetInputAsVar',
  label: 'Set Context Variable From Input',
  category: 'Execution Context',
  description: 'Stores the input in a variable, and returns the input.',
  example: { input: '/default-domain/workspaces/report', params: { name: 'document' } },
  takes: anyInput,
  gives: 'object',
  params: { name: text.required('The name of the variable.') },
  run: async (context, _, { name }, call) => {
    setVariable(call, name, valueOfInput(call.input));
    return outcomeOfInput(context, call.input);
  },
});
