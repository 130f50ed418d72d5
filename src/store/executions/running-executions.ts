import { modelColumns } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { NotFound } from '../../errors.ts';
import type { LocalExecution, RunningExecutions } from '../../services.ts';

const pending = statement('pending-executions', modelColumns('Execution', 'id'))`
  SELECT e.id FROM unnest($1::text[], $2::text[]) AS mine (repository, id)
  JOIN execution e ON e.repository = mine.repository AND e.id = mine.id AND e.answer IS NULL`;

/**
 * Keeps track of the executions that run in this process.
 * @param onError called when their state cannot be read
 */
export function createRunningExecutions(
  database: Pick<Database, 'query' | 'announcements'>,
  onError: (error: unknown) => void,
): RunningExecutions {
  const running = new Map<string, { execution: LocalExecution; controller: AbortController }>();

  const endAborted = async (): Promise<void> => {
    const known = [...running.values()].map(({ execution }) => execution);
    if (known.length === 0) return;
    const values = [known.map(({ repository }) => repository), known.map(({ id }) => id)];
    const rows = await database.query(pending, values);
    const existing = new Set(rows.map(({ id }) => id));
    for (const { id } of known) {
      if (!existing.has(id)) running.get(id)?.controller.abort(new NotFound(`There is no execution ${id}.`));
    }
  };
  database.announcements.on('executions', () => void endAborted().catch(onError));

  return {
    find: (id) => {
      const here = running.get(id);
      // An aborted execution is treated as deleted.
      return here?.controller.signal.aborted ? undefined : here?.execution;
    },
    abort: (id, reason) => running.get(id)?.controller.abort(reason),
    run: async (execution, stopping, work) => {
      const controller = new AbortController();
      running.set(execution.id, { execution, controller });
      try {
        await endAborted(); // the execution may have been aborted after it was read
        await work(AbortSignal.any([stopping, controller.signal]));
      } finally {
        running.delete(execution.id);
      }
    },
  };
}
