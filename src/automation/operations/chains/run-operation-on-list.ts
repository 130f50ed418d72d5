import { calledParams, calledWithin } from '../../chains/called.ts';
import { itemsOf, setVariable, variableOf } from '../../chains/variables.ts';
import { outcomeOfInput } from '../../input.ts';
import { anyInput, operation } from '../../operation.ts';
import { flag, text, variableValue } from '../../params/kinds.ts';

export const runOperationOnList = operation({
  id: 'RunOperationOnList',
  aliases: ['Context.RunOperationOnList'],
  label: 'Run For Each',
  category: 'Execution Flow',
  description:
    'Runs an operation or a chain on the input for each item of a list, one after the other, and returns the input.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { id: 'Log', list: ['first', 'second'], parameters: { message: 'expr:item' } },
  },
  kind: 'mutation',
  takes: anyInput,
  gives: 'object',
  params: {
    ...calledParams,
    list: variableValue.required('The list, or the name of the variable that contains it.'),
    itemName: text.withDefault('item', 'The name of the variable that contains the current item.'),
    isolate: flag.withDefault(true, 'Whether changes to variables are discarded after the call.'),
  },
  run: async (context, _, { id, parameters = {}, list, itemName, isolate }, call) => {
    const items = typeof list === 'string' ? itemsOf(list, variableOf(call, list)) : itemsOf('list', list);
    for (const item of items) {
      const within = calledWithin(call, isolate);
      setVariable(within, itemName, item);
      await within.run(id, parameters);
    }
    return outcomeOfInput(context, call.input);
  },
});
