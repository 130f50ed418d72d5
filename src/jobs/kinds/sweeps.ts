import pLimit from 'p-limit';
import type { Services } from '../../services.ts';
import { deleteUnusedAcls } from '../../store/acls/delete-unused-acls.ts';
import { deleteOldEntries } from '../../store/audit/audit.ts';
import { deleteOldIdentitySessions } from '../../store/authorities/identity-sessions.ts';
import { sweepBlobs } from '../../store/blobs/sweep-blobs.ts';
import { deleteOldBulkCommands } from '../../store/bulk/commands.ts';
import { deleteOldExecutions } from '../../store/executions/executions.ts';
import { deleteOldAnswers } from '../../store/executions/idempotency.ts';
import { deleteOldMails } from '../../store/mail/queue-mail.ts';
import { deleteOldJobs } from '../../store/queue/take-jobs.ts';
import { deleteUnusedRenditions } from '../../store/renditions/delete-unused-renditions.ts';
import { deleteOldConversions } from '../../store/renditions/scheduled-conversions.ts';
import { deleteUnusedFileWords } from '../../store/search/file-words.ts';
import { deleteUnusedTitleWords } from '../../store/search/title-words.ts';
import { deleteOldGuestCodes } from '../../store/shares/open-share.ts';
import { deleteOldDevices } from '../../store/tokens/known-devices.ts';
import { deleteOldSessions } from '../../store/tokens/sessions.ts';
import { deleteOldUploads } from '../../store/uploads/uploads.ts';
import type { JobKind } from '../job-runner.ts';

/** Deletes rows or files that are no longer needed. @returns the number of deleted rows or files. */
type Sweep = (services: Services, isStopping: () => boolean) => Promise<number>;

/** The sweeps by the names of their jobs. */
export const sweeps: Readonly<Record<string, Sweep>> = {
  'sweep-blobs': ({ database, blobs }, isStopping) => sweepBlobs(database, blobs, undefined, isStopping),
  'forget-acls': ({ database }) => deleteUnusedAcls(database),
  'forget-answers': ({ database }, isStopping) => deleteOldAnswers(database, 1, isStopping),
  'forget-bulk-actions': ({ database }, isStopping) => deleteOldBulkCommands(database, 30, isStopping),
  'forget-conversions': ({ database }, isStopping) => deleteOldConversions(database, 1, isStopping),
  'forget-devices': ({ database }, isStopping) => deleteOldDevices(database, 400, isStopping),
  'forget-executions': ({ database }, isStopping) => deleteOldExecutions(database, 1, isStopping),
  'forget-file-words': ({ database }, isStopping) => deleteUnusedFileWords(database, 1, isStopping),
  'forget-guest-codes': ({ database }, isStopping) => deleteOldGuestCodes(database, 1, isStopping),
  'forget-identity-sessions': ({ database }, isStopping) =>
    deleteOldIdentitySessions(database, 1, isStopping),
  'forget-jobs': ({ database }, isStopping) => deleteOldJobs(database, 30, isStopping),
  'forget-mails': ({ database }, isStopping) => deleteOldMails(database, 30, isStopping),
  'forget-renditions': ({ database }, isStopping) => deleteUnusedRenditions(database, 1, isStopping),
  'forget-sessions': ({ database }, isStopping) => deleteOldSessions(database, 1, isStopping),
  'forget-title-words': ({ database }, isStopping) => deleteUnusedTitleWords(database, isStopping),
  'forget-uploads': ({ database }, isStopping) => deleteOldUploads(database, 1, isStopping),
  'forget-log-entries': ({ database, config }, isStopping) =>
    deleteOldEntries(database, config.AUDIT_DAYS, isStopping),
};

const [hour, day] = [3_600, 86_400];

/**
 * Returns the jobs for the sweeps, each of which runs once a day. All sweeps are due at the same time, so a process
 * runs them one at a time.
 */
export function sweepKinds(services: Services): JobKind[] {
  const oneAtATime = pLimit(1);
  return Object.entries(sweeps).map(([name, sweep]) => ({
    name,
    maxConcurrent: 1,
    delays: [hour],
    every: day,
    run: (_, signal) =>
      oneAtATime(() => {
        signal.throwIfAborted();
        return sweep(services, () => signal.aborted);
      }),
  }));
}
