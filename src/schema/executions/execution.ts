import { availableOperation } from '../../automation/index.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import { activeStates } from '../../store/bulk/active-command.ts';
import { type BulkCommandRow, findBulkCommand } from '../../store/bulk/commands.ts';
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

interface ExecutionShape extends ExecutionAddress, ExecutionState {
  readonly command: BulkCommandRow | null;
}

/**
 * Loads the state of an execution, and the bulk action that it has started. The action can end between the two reads, so
 * its own state decides whether the execution is done. Otherwise, clients would get the status of a completed action
 * instead of its result.
 */
async function loadExecution(context: Context, address: ExecutionAddress): Promise<ExecutionShape> {
  const state = await executionState(context, address);
  if (state.commandId === null) return { ...address, ...state, command: null };
  const command = await findBulkCommand(context, state.commandId);
  return { ...address, ...state, isDone: !activeStates.includes(command.state), command };
}

const Execution = builder.objectRef<ExecutionShape>('Execution').implement({
  description: 'An asynchronous call of an operation (§4.7).',
  fields: (t) => ({
    id: t.exposeID('id'),
    operation: t.exposeString('operation', { description: 'The name by which the operation was called.' }),
    isDone: t.exposeBoolean('isDone', {
      description: 'Whether the execution, and any bulk action that it started, has ended.',
    }),
    bulkStatus: t.field({
      type: BulkStatus,
      nullable: true,
      description: 'The bulk action that the execution started.',
      resolve: ({ command }) => command,
    }),
    answer: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The stored response; null until the execution has ended. If it failed, its error is returned.',
      resolve: (execution, _, context) => (execution.isDone ? executionAnswer(context, execution) : null),
    }),
  }),
});

const address = builder.args((t) => ({ operation: t.id({ required: true }), id: t.id({ required: true }) }));

builder.queryField('execution', (t) =>
  t.field({
    type: Execution,
    nullable: true,
    description: "One of the caller's executions; for administrators, any user's.",
    args: address,
    resolve: (_, args, context) => loadExecution(context, args),
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
      answer: t.arg({
        type: 'JSON',
        required: true,
        description: 'The response, which is stored for a day.',
      }),
      bulkCommand: t.arg.id({
        description:
          'The bulk action that the execution started. The execution ends when the bulk action ends.',
      }),
    },
    resolve: async (_, { id, answer, bulkCommand }, context) => {
      await endExecution(context, id, answer, bulkCommand);
      return id;
    },
  }),
  abortExecution: t.boolean({
    description:
      'Aborts an execution and any bulk action that it started, or deletes its response if it has ended.',
    args: address,
    resolve: async (_, args, context) => {
      await abortExecution(context, args);
      return true;
    },
  }),
}));
