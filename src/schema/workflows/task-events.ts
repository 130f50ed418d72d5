import { builder, LogEntry, Task } from '../../graphql/builder.ts';
import { eventField } from '../../graphql/event-field.ts';
import type { LogEntryRow } from '../../loaders/audit/log-entries.ts';
import { newLogEntries } from '../../loaders/audit/new-log-entries.ts';
import type { Context } from '../../loaders/context.ts';
import { isActor, type TaskRow } from '../../loaders/workflows/tasks.ts';

interface TaskEventShape {
  readonly entry: LogEntryRow;
  readonly task: TaskRow;
}

const TaskEvent = builder.objectRef<TaskEventShape>('TaskEvent');
TaskEvent.implement({
  description: 'An event that concerns a task of a workflow.',
  fields: (t) => ({
    entry: t.expose('entry', {
      type: LogEntry,
      description: 'The event: afterWorkflowTaskCreated, afterWorkflowTaskEnded and so on.',
    }),
    task: t.expose('task', { type: Task, description: 'The task in its current state.' }),
  }),
});

const taskIdOf = ({ extended }: LogEntryRow): string | undefined => {
  const { taskId } = extended as { readonly taskId?: unknown };
  return typeof taskId === 'string' ? taskId : undefined;
};

/** Returns the first log entry of each event. The log contains one entry for each document of a workflow. */
function firstEntries(entries: readonly LogEntryRow[]): Map<string, LogEntryRow> {
  const first = new Map<string, LogEntryRow>();
  for (const entry of entries) {
    const key = `${entry.eventId} ${taskIdOf(entry)}`;
    if (!first.has(key)) first.set(key, entry);
  }
  return first;
}

async function visibleEvents(context: Context, entries: readonly LogEntryRow[]): Promise<TaskEventShape[]> {
  const { load, user } = context;
  const events = await Promise.all(
    [...firstEntries(entries).values()].map(async (entry) => {
      const task = await load.taskById.load(taskIdOf(entry) ?? '');
      return task && (user.isAdministrator || isActor(task, user)) ? { entry, task } : undefined;
    }),
  );
  return events.filter((event) => event !== undefined);
}

builder.subscriptionField('taskEvents', (t) =>
  t.field({
    type: [TaskEvent],
    description: 'Future events that concern tasks the caller can complete; for administrators, all tasks.',
    ...eventField,
    resolve: async (span, _, context) =>
      visibleEvents(context, await newLogEntries(context, span, { category: 'Routing' })),
  }),
);
