import { availableOperation } from '../../automation/index.ts';
import { builder } from '../../graphql/builder.ts';
import { findBulkCommand } from '../../store/bulk/commands.ts';
import { beginExecution } from '../../store/executions/begin-execution.ts';
import {
  abortExecution,
  type ExecutionAddress,
  type ExecutionState,
  endExecution,
  executionAnswer,
  executionState,
} from '../../store/executions/executions.ts';
import { BulkStatus } from '../bulk/bulk-command.ts';

type ExecutionShape = ExecutionAddress & ExecutionState;

const Execution = builder.objectRef<ExecutionShape>('Execution').implement({
  description: 'An asynchronous call of an operation (§4.7).',
  fields: (t) => ({
    id: t.exposeID('id'),
    operation: t.exposeString('operation', { description: 'The name by which it was called.' }),
    isDone: t.exposeBoolean('isDone', {
      description: 'Whether the execution and the bulk action that it has started have ended.',
    }),
    bulkStatus: t.field({
      type: BulkStatus,
      nullable: true,
      description: 'The bulk action that the execution has started.',
      resolve: ({ commandId }, _, context) =>
        commandId === null ? null : findBulkCommand(context, commandId),
    }),
    answer: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The stored answer; null until the execution has ended. If it failed, its error is returned.',
      resolve: (execution, _, context) => (execution.isDone ? executionAnswer(context, execution) : null),
    }),
  }),
});

const address = builder.args((t) => ({ operation: t.id({ required: true }), id: t.id({ required: true }) }));

builder.queryField('execution', (t) =>
  t.field({
    type: Execution,
    nullable: true,
    description: 'An execution of the caller, or of any user for administrators.',
    args: address,
    resolve: async (_, args, context) => ({ ...args, ...(await executionState(context, args)) }),
  }),
);

builder.mutationFields((t) => ({
  beginExecution: t.id({
    description:
      'Starts an execution of an operation and returns its id. The client runs the operation itself and ends the execution within 30 seconds.',
    args: { operation: t.arg.id({ required: true }) },
    resolve: (_, { operation }, context) => {
      availableOperation(operation, context);
      return beginExecution(context, operation);
    },
  }),
  endExecution: t.id({
    description: 'Ends an execution that the caller started, and returns its id.',
    args: {
      id: t.arg.id({ required: true }),
      answer: t.arg({ type: 'JSON', required: true, description: 'The answer, which is stored for a day.' }),
      bulkCommand: t.arg.id({
        description: 'The bulk action that the execution has started. The execution ends with it.',
      }),
    },
    resolve: async (_, { id, answer, bulkCommand }, context) => {
      await endExecution(context, id, answer, bulkCommand);
      return id;
    },
  }),
  abortExecution: t.boolean({
    description: 'Aborts an execution and the bulk action that it has started, or deletes its answer.',
    args: address,
    resolve: async (_, args, context) => {
      await abortExecution(context, args);
      return true;
    },
  }),
}));
