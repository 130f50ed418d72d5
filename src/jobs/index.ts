import type { Services } from '../services.ts';
import { storeListeners } from '../store/extensions/after-listeners.ts';
import { enqueueJobs } from '../store/queue/enqueue-jobs.ts';
import { triggerJob } from '../store/webhooks/trigger.ts';
import type { CallerRuns } from './caller-runs.ts';
import { type JobKind, type JobRunnerOptions, startJobRunner } from './job-runner.ts';
import { convertFile } from './kinds/convert-file.ts';
import { countStorageDaily } from './kinds/count-storage.ts';
import { extensionJobs } from './kinds/extension-jobs.ts';
import { makeFillings } from './kinds/fill-documents.ts';
import { findDigests, findNotifiedPeople } from './kinds/find-notified.ts';
import { forgetShareLinks } from './kinds/forget-share-links.ts';
import { indexDocument } from './kinds/index-document.ts';
import { indexFile } from './kinds/index-file.ts';
import { notifyPerson } from './kinds/notify-person.ts';
import { runBulkAction } from './kinds/run-bulk-action.ts';
import { runExecution } from './kinds/run-execution.ts';
import { sendMail } from './kinds/send-mail.ts';
import { sendResets } from './kinds/send-reset.ts';
import { sendWebhook } from './kinds/send-webhook.ts';
import { sweepKinds } from './kinds/sweeps.ts';
import { syncDirectories } from './kinds/sync-directories.ts';
import { turnWebhookTrigger } from './kinds/turn-webhook-trigger.ts';

const kindsOf = (services: Services, runs: CallerRuns | undefined): JobKind[] =>
  [
    ...sweepKinds(services),
    countStorageDaily(services),
    indexDocument(services),
    indexFile(services),
    convertFile(services),
    makeFillings(services),
    sendMail(services),
    sendResets(services),
    sendWebhook(services, runs),
    turnWebhookTrigger(services),
    findNotifiedPeople(services),
    findDigests(services),
    syncDirectories(services),
    ...(runs ? [forgetShareLinks(services, runs), ...extensionJobs(services, runs)] : []),
  ].filter((kind) => kind !== undefined);

/**
 * Returns the kinds of jobs whose results clients wait for. Every process that serves requests runs such jobs.
 */
const callersKindsOf = (services: Services, runs: CallerRuns): JobKind[] => [
  runExecution(services, runs),
  runBulkAction(services, runs),
  notifyPerson(services, runs),
];

type Callbacks = Omit<JobRunnerOptions, 'database' | 'kinds'>;

/**
 * Runs the jobs that act with the permissions of callers.
 * @returns a function that stops them, like the function that `startJobRunner` returns.
 */
export const startCallersJobs = (
  services: Services,
  runs: CallerRuns,
  options: Callbacks,
): ReturnType<typeof startJobRunner> =>
  startJobRunner({ ...options, database: services.database, kinds: callersKindsOf(services, runs) });

/**
 * Runs all other jobs in this process and enqueues the recurring jobs.
 * @param runs runs the jobs that act as a user, and the jobs and listeners of extensions; if it is absent, they are not run.
 * @returns a function that stops the jobs. It aborts the signals of running jobs and resolves when the jobs have ended.
 */
export async function startJobs(
  services: Services,
  options: Callbacks,
  runs?: CallerRuns,
): Promise<() => Promise<void>> {
  const { database } = services;
  const kinds = kindsOf(services, runs);
  await storeListeners(services);
  const recurring = kinds.filter(({ every }) => every !== undefined);
  await enqueueJobs({ db: database }, [
    ...recurring.map(({ name }) => ({ kind: name, once: name })),
    { kind: triggerJob },
  ]);
  const stop = startJobRunner({ ...options, database, kinds });
  return async () => {
    await stop();
    for (const { close } of kinds) close?.();
  };
}
