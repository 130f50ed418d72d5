import { setTimeout as wait } from 'node:timers/promises';
import { accountOf } from '../../loaders/authorities/account.ts';
import { principals } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { endFailedCommand, findActiveCommand, indexLagOf } from '../../store/bulk/active-command.ts';
import { bulkJob } from '../../store/bulk/commands.ts';
import { joinExport } from '../../store/bulk/export-documents.ts';
import { runBulkSlice } from '../../store/bulk/run-slice.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import type { CallerRuns } from '../caller-runs.ts';
import { type JobKind, unfinished } from '../job-runner.ts';

/** The number of seconds before each retry of a slice that failed as a whole. */
const delays = [10, 20, 30, 40] as const;

/** The number of milliseconds after which a command pauses, so that other commands can run. */
const turn = 1_000;

/** The number of milliseconds between checks of whether the search index is up to date. */
const indexCheckInterval = 250;

const credentialsEnded = "The user's credentials were revoked after the command was submitted.";
const neverIndexed = 'The search index was out of date for a day.';
const failed = 'Some documents could not be processed. See the server log.';

/**
 * The payload of the job. `endedBefore` is the time at which the user's credentials had last been revoked when the
 * command was submitted. It is absent if the command was not submitted by a request.
 */
type Payload = Readonly<{ command: string; endedBefore?: string | null }>;

const payloadOf = ({ payload }: TakenJob): Payload => payload as Payload;

/**
 * Whether the user's credentials have been revoked since the command was submitted. The recorded revocation times are
 * compared for equality, because the clocks of the server and the database can differ.
 */
function haveEnded(endedAt: Date | null, { endedBefore }: Payload, submittedAt: Date): boolean {
  if (endedBefore === undefined) return endedAt !== null && endedAt > submittedAt;
  return (endedAt?.toISOString() ?? null) !== endedBefore;
}

/**
 * Runs a bulk action in slices, each in a separate transaction, until the command is complete or its turn is over.
 */
export function runBulkAction(services: Services, { runAs }: CallerRuns): JobKind {
  const { config, database, searchIndex } = services;
  const principalOf = principals(config.ADMIN_USERNAME);
  /**
   * Runs a slice. The account is read before each slice, so that revoked permissions take effect immediately.
   * @returns false if the command has ended
   */
  const takeStep = async (payload: Payload): Promise<boolean> => {
    const id = payload.command;
    const command = await findActiveCommand(database, id);
    if (!command) return false;
    const { repository, username, state, submittedAt } = command;
    const account = await accountOf(database, username, services);
    if (!account || haveEnded(account.credentialsEndedAt, payload, submittedAt)) {
      await endFailedCommand(database, id, credentialsEnded);
      return false;
    }
    if (state === 'SCHEDULED' && !(await searchIndex.catchUp(database)).isCaughtUp) {
      const lacks = await indexLagOf(database, id);
      if (lacks?.isBehind) {
        if (lacks.isTooLate) await endFailedCommand(database, id, neverIndexed);
        await wait(indexCheckInterval);
        return !lacks.isTooLate;
      }
    }
    const run = runAs(principalOf(account), repository);
    const whole = await run('mutation', (context) => runBulkSlice(context, id));
    if (!whole) return true;
    const joined = await run('query', (context) => joinExport(context, database, whole));
    await run('mutation', (context) => runBulkSlice(context, id, joined));
    return true;
  };
  return {
    name: bulkJob,
    maxConcurrent: 1,
    delays,
    run: async (job, stopping) => {
      const end = performance.now() + turn;
      const payload = payloadOf(job);
      for (;;) {
        if (!(await takeStep(payload))) return 1;
        if (stopping.aborted || performance.now() > end) return unfinished;
      }
    },
    onSetAside: (job) => endFailedCommand(database, payloadOf(job).command, failed),
  };
}
