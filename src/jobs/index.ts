import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { deleteUnusedAcls } from '../store/acls/delete-unused-acls.ts';
import { deleteOldEntries } from '../store/audit/audit.ts';
import { sweepBlobs } from '../store/blobs/sweep-blobs.ts';
import { deleteOldExecutions } from '../store/executions/executions.ts';
import { deleteOldAnswers } from '../store/executions/idempotency.ts';
import { deleteOldMails } from '../store/mail/queue-mail.ts';
import { deleteOldUploads } from '../store/uploads/uploads.ts';
import { runDaily } from './daily.ts';

export interface JobServices {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Days after which log entries are deleted (AUDIT_DAYS); never when undefined. */
  readonly auditDays?: number | undefined;
}

const jobs: Readonly<Record<string, (services: JobServices, isStopping: () => boolean) => Promise<number>>> =
  {
    'sweep blobs': ({ database, blobs }, isStopping) => sweepBlobs(database, blobs, undefined, isStopping),
    'forget ACLs': ({ database }) => deleteUnusedAcls(database),
    'forget answers': ({ database }, isStopping) => deleteOldAnswers(database, 1, isStopping),
    'forget executions': ({ database }, isStopping) => deleteOldExecutions(database, 1, isStopping),
    'forget mails': ({ database }, isStopping) => deleteOldMails(database, 30, isStopping),
    'forget uploads': ({ database }, isStopping) => deleteOldUploads(database, 1, isStopping),
    'forget log entries': ({ database, auditDays }, isStopping) =>
      deleteOldEntries(database, auditDays, isStopping),
  };

export interface JobCallbacks {
  readonly onDone: (job: string, deleted: number) => void;
  readonly onError: (job: string, error: unknown) => void;
}

/**
 * Runs every job at once, and again every day.
 * @returns a function that stops them: it resolves when those under way have ended, which then is soon.
 */
export function startJobs(services: JobServices, { onDone, onError }: JobCallbacks): () => Promise<void> {
  const stops = Object.entries(jobs).map(([name, job]) =>
    runDaily((isStopping) => job(services, isStopping), {
      onDone: (deleted) => onDone(name, deleted),
      onError: (error) => onError(name, error),
    }),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
