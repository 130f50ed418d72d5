import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { daily } from './daily.ts';
import { forgetAcls } from './forget-acls.ts';
import { forgetAnswers } from './forget-answers.ts';
import { forgetEntries } from './forget-entries.ts';
import { forgetUploads } from './forget-uploads.ts';
import { sweep } from './sweep.ts';

/** What a job may need. */
export interface JobServices {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Days that log entries are kept (AUDIT_DAYS); for ever when undefined. */
  readonly auditDays?: number | undefined;
}

/** Work that no request waits for, by name; each answers how many things it took away. */
const jobs: Readonly<Record<string, (services: JobServices, isStopping: () => boolean) => Promise<number>>> =
  {
    'sweep blobs': ({ database, blobs }, isStopping) => sweep(database, blobs, undefined, isStopping),
    'forget ACLs': ({ database }) => forgetAcls(database),
    'forget answers': ({ database }, isStopping) => forgetAnswers(database, isStopping),
    'forget uploads': ({ database }, isStopping) => forgetUploads(database, isStopping),
    'forget log entries': ({ database, auditDays }, isStopping) =>
      forgetEntries(database, auditDays, isStopping),
  };

/** Told of what becomes of jobs. */
export interface JobWatch {
  readonly onDone: (job: string, gone: number) => void;
  readonly onError: (job: string, error: unknown) => void;
}

/**
 * Does every job now and then every day.
 * @returns how to stop: it resolves when those under way have ended, which then is soon.
 */
export function startJobs(services: JobServices, { onDone, onError }: JobWatch): () => Promise<void> {
  const stops = Object.entries(jobs).map(([name, job]) =>
    daily((isStopping) => job(services, isStopping), {
      onDone: (gone) => onDone(name, gone),
      onError: (error) => onError(name, error),
    }),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
