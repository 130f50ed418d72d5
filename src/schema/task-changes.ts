import type { Context } from '../context.ts';
import { Invalid, NotFound } from '../errors.ts';
import { addressOf, type DocumentReference } from '../store/lock-document.ts';
import { delegateTask, reassignTask } from '../store/workflows/assign-task.ts';
import { endTask } from '../store/workflows/end-task.ts';
import { findTask } from '../store/workflows/held.ts';
import { builder, Task } from './builder.ts';
import { asObject } from './input.ts';

const TaskAnswer = builder.inputType('TaskAnswer', {
  description: 'What is said when a task is ended.',
  fields: (t) => ({
    id: t.id({ description: 'When given, must be that of the task.' }),
    comment: t.string(),
    variables: t.field({ type: 'JSON', description: 'By name: those that the task takes.' }),
  }),
});

/** @throws NotFound when a task is not about the document by which it is addressed; Forbidden without Read on that. */
async function requireAbout(context: Context, task: string, document: DocumentReference): Promise<void> {
  const { load } = context;
  const { by, value } = addressOf(document);
  const row = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
  if (!row) throw new NotFound(value);
  const { workflow } = await findTask(context, task);
  if (!workflow.documentIds.includes(row.id)) throw new NotFound(`there is no task ${task} about ${row.id}`);
}

const whose = builder.args((t) => ({
  id: t.id({ required: true, description: 'Of the task.' }),
  actors: t.stringList({ defaultValue: [], description: 'user:NAME, group:NAME, or bare names.' }),
  comment: t.string(),
}));

builder.mutationFields((t) => ({
  endTask: t.field({
    type: Task,
    description: 'Ends a task by one of its actions; the workflow goes on.',
    args: {
      id: t.arg.id({ required: true, description: 'Of the task.' }),
      action: t.arg.string({ required: true }),
      answer: t.arg({ type: TaskAnswer, required: true }),
      documentId: t.arg.id({ description: 'A document that the task must be about.' }),
      documentPath: t.arg.string({ description: 'The same by its path.' }),
    },
    resolve: async (_, { id, action, answer, documentId, documentPath }, context) => {
      const task = id.toLowerCase();
      if (typeof answer.id === 'string' && answer.id.toLowerCase() !== task)
        throw new Invalid(`id: the body is of the task ${answer.id}, not of ${id}`);
      if (typeof documentId === 'string' || typeof documentPath === 'string')
        await requireAbout(context, task, { id: documentId, path: documentPath });
      const variables = asObject(answer.variables, 'variables');
      return context.wrote(endTask(context, task, { action, comment: answer.comment, variables }));
    },
  }),
  reassignTask: t.field({
    type: Task,
    description: 'Gives a task to others instead of its actors.',
    args: whose,
    resolve: (_, { id, actors, comment }, context) =>
      context.wrote(reassignTask(context, id.toLowerCase(), { actors: actors ?? [], comment })),
  }),
  delegateTask: t.field({
    type: Task,
    description: 'Lets others end a task too.',
    args: whose,
    resolve: (_, { id, actors, comment }, context) =>
      context.wrote(delegateTask(context, id.toLowerCase(), { actors: actors ?? [], comment })),
  }),
}));
