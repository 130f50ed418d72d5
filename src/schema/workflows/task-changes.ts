import { availableOperation } from '../../automation/index.ts';
import { runOperation } from '../../automation/run.ts';
import { buttonCall } from '../../automation/workflows/button-call.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Task } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { delegateTask, reassignTask } from '../../store/workflows/assign-task.ts';
import { endTask } from '../../store/workflows/end-task.ts';
import { findTask } from '../../store/workflows/find-workflow.ts';

const TaskAnswer = builder.inputType('TaskAnswer', {
  description: 'The input for completing a task.',
  fields: (t) => ({
    id: t.id({ description: 'If present, it must be the id of the task.' }),
    comment: t.string(),
    variables: t.field({ type: 'JSON', description: 'The variables that the task accepts, by name.' }),
  }),
});

/**
 * @throws NotFound if the task is not about the document in the URL; Forbidden if the caller does not have Read
 * permission on that document
 */
async function requireAbout(context: Context, task: string, document: DocumentReference): Promise<void> {
  const { load } = context;
  const { by, value } = referenceKey(document);
  const row = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
  if (!row) throw new NotFound(value);
  const { workflow } = await findTask(context, task);
  if (!workflow.documentIds.includes(row.id)) throw new NotFound(`There is no task ${task} about ${row.id}.`);
}

const whose = builder.args((t) => ({
  id: t.id({ required: true, description: 'The id of the task.' }),
  actors: t.stringList({
    defaultValue: [],
    description: 'The actors, as user:NAME, group:NAME or names without prefix.',
  }),
  comment: t.string(),
}));

builder.mutationFields((t) => ({
  endTask: t.field({
    type: Task,
    description: 'Completes a task with one of its actions, and advances the workflow.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the task.' }),
      action: t.arg.string({ required: true }),
      answer: t.arg({ type: TaskAnswer, required: true }),
      documentId: t.arg.id({ description: 'The id of a document that the task must be about.' }),
      documentPath: t.arg.string({ description: 'The path of a document that the task must be about.' }),
    },
    resolve: async (_, { id, action, answer, documentId, documentPath }, context) => {
      const task = id.toLowerCase();
      if (typeof answer.id === 'string' && answer.id.toLowerCase() !== task)
        throw new Invalid(`id must be the id of the task, ${id}; got ${answer.id}.`);
      if (typeof documentId === 'string' || typeof documentPath === 'string')
        await requireAbout(context, task, { id: documentId, path: documentPath });
      const variables = asObject(answer.variables, 'variables');
      const ended = await endTask(context, task, { action, comment: answer.comment, variables });
      const call = buttonCall(context.services.model, ended, action);
      if (call) {
        context.reload();
        await runOperation(availableOperation(call.id, context), context, call);
      }
      return ended;
    },
  }),
  reassignTask: t.field({
    type: Task,
    description: 'Replaces the actors of a task.',
    args: whose,
    resolve: (_, { id, actors, comment }, context) =>
      reassignTask(context, id.toLowerCase(), { actors: actors ?? [], comment }),
  }),
  delegateTask: t.field({
    type: Task,
    description: 'Adds delegates to a task, who can also complete it.',
    args: whose,
    resolve: (_, { id, actors, comment }, context) =>
      delegateTask(context, id.toLowerCase(), { actors: actors ?? [], comment }),
  }),
}));
