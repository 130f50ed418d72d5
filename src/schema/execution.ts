import { type Address, abortExecution, answerOf, isDone } from '../store/executions.ts';
import { builder } from './builder.ts';

interface ExecutionShape extends Address {
  readonly isDone: boolean;
}

const Execution = builder.objectRef<ExecutionShape>('Execution').implement({
  description: 'A call of an operation that is executed asynchronously (§4.7).',
  fields: (t) => ({
    id: t.exposeID('id'),
    operation: t.exposeString('operation', { description: 'The name that it was called by.' }),
    isDone: t.exposeBoolean('isDone'),
    answer: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What it answered, as REST sends it; null while it is under way. What it failed with is an error.',
      resolve: (execution, _, context) => (execution.isDone ? answerOf(context, execution) : null),
    }),
  }),
});

const address = builder.args((t) => ({ operation: t.id({ required: true }), id: t.id({ required: true }) }));

builder.queryField('execution', (t) =>
  t.field({
    type: Execution,
    description: 'An execution that the caller began; that anybody began, for administrators.',
    args: address,
    resolve: async (_, given, context) => ({ ...given, isDone: await isDone(context, given) }),
  }),
);

builder.mutationField('abortExecution', (t) =>
  t.boolean({
    description: 'Aborts an execution, or forgets what came of it.',
    args: address,
    resolve: async (_, given, context) => {
      await abortExecution(context, given);
      return true;
    },
  }),
);
