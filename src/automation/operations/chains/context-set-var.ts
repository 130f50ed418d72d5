import { setVariable } from '../../chains/variables.ts';
import { operation } from '../../operation.ts';
import { text, variableValue } from '../../params/kinds.ts';

export const contextSetVar = operation({
  id: 'Context.SetVar',
  label: 'Set Context Variable',
  category: 'Execution Context',
  description: 'Sets a variable, which the expressions of later operations of the chain can read.',
  example: { params: { name: 'source', value: 'by mail' } },
  gives: 'void',
  params: {
    name: text.required('The name of the variable.'),
    value: variableValue.optional('The value, such as expr:Document; null if absent.'),
  },
  run: async (_, __, { name, value = null }, call) => {
    setVariable(call, name, value);
    return null;
  },
});
