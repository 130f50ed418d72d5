import { setTimeout as wait } from 'node:timers/promises';
import { accountOf } from '../../loaders/authorities/account.ts';
import { principals } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { endFailedCommand, findActiveCommand, indexLacksOf } from '../../store/bulk/active-command.ts';
import { bulkJob } from '../../store/bulk/commands.ts';
import { joinExport } from '../../store/bulk/export-documents.ts';
import { runBulkSlice } from '../../store/bulk/run-slice.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import type { CallerRuns } from '../caller-runs.ts';
import { type JobKind, unfinished } from '../job-runner.ts';

/** Seconds before a slice that failed as a whole is tried again. */
const delays = [10, 20, 30, 40] as const;

/** Milliseconds after which another command has its turn. */
const turn = 1_000;

/** Milliseconds between two looks at the index. */
const pause = 250;

const credentialsEnded = 'the credentials of its user have ended since it was asked for';
const neverIndexed = 'the search index was behind for a day';
const failed = 'a slice failed: the log of the server says why';

/** With the end of the credentials that came before; absent where the caller was no request. */
type Payload = Readonly<{ command: string; endedBefore?: string | null }>;

const payloadOf = ({ payload }: TakenJob): Payload => payload as Payload;

/** Whether they have ended since; the clocks of this server and of the database may differ. */
function haveEnded(endedAt: Date | null, { endedBefore }: Payload, submittedAt: Date): boolean {
  if (endedBefore === undefined) return endedAt !== null && endedAt > submittedAt;
  return (endedAt?.toISOString() ?? null) !== endedBefore;
}

/** Works on a bulk action, a slice in each transaction, until it ends or others wait for their turn. */
export function runBulkAction({ config, database, searchIndex }: Services, { runAs }: CallerRuns): JobKind {
  const principalOf = principals(config.ADMIN_USERNAME);
  /** The groups of the user are read for each slice: rights that are taken away count at once. */
  const takeStep = async (payload: Payload): Promise<boolean> => {
    const id = payload.command;
    const command = await findActiveCommand(database, id);
    if (!command) return false;
    const { repository, username, state, submittedAt } = command;
    const account = await accountOf(database, username);
    if (!account) return false; // the command is gone with its user
    if (haveEnded(account.credentialsEndedAt, payload, submittedAt)) {
      await endFailedCommand(database, id, credentialsEnded);
      return false;
    }
    if (state === 'SCHEDULED' && !(await searchIndex.catchUp(database)).isCaughtUp) {
      const lacks = await indexLacksOf(database, id);
      if (lacks?.isBehind) {
        if (lacks.isTooLate) await endFailedCommand(database, id, neverIndexed);
        await wait(pause);
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
    most: 1,
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
