import type { Services } from '../services.ts';
import { enqueueJobs } from '../store/queue/enqueue-jobs.ts';
import { triggerJob } from '../store/webhooks/trigger.ts';
import type { CallerRuns } from './caller-runs.ts';
import { type JobKind, type JobRunnerOptions, startJobRunner } from './job-runner.ts';
import { convertFile } from './kinds/convert-file.ts';
import { makeFillings } from './kinds/fill-documents.ts';
import { findNotifiedPeople } from './kinds/find-notified.ts';
import { indexDocument } from './kinds/index-document.ts';
import { indexFile } from './kinds/index-file.ts';
import { notifyPerson } from './kinds/notify-person.ts';
import { runBulkAction } from './kinds/run-bulk-action.ts';
import { runExecution } from './kinds/run-execution.ts';
import { sendMail } from './kinds/send-mail.ts';
import { sendWebhook } from './kinds/send-webhook.ts';
import { sweepKinds } from './kinds/sweeps.ts';
import { turnWebhookTrigger } from './kinds/turn-webhook-trigger.ts';

const kindsOf = (services: Services): JobKind[] =>
  [
    ...sweepKinds(services),
    indexDocument(services),
    indexFile(services),
    convertFile(services),
    makeFillings(services),
    sendMail(services),
    sendWebhook(services),
    turnWebhookTrigger(services),
    findNotifiedPeople(services),
  ].filter((kind) => kind !== undefined);

/** The kinds of jobs for whose results callers wait. Every process that serves requests runs them. */
const callersKindsOf = (services: Services, runs: CallerRuns): JobKind[] => [
  runExecution(services, runs),
  runBulkAction(services, runs),
  notifyPerson(services, runs),
];

type Callbacks = Omit<JobRunnerOptions, 'database' | 'kinds'>;

/** Runs jobs with the permissions of callers in this process. @returns a function that stops them, as `startJobRunner` does */
export const startCallersJobs = (
  services: Services,
  runs: CallerRuns,
  options: Callbacks,
): ReturnType<typeof startJobRunner> =>
  startJobRunner({ ...options, database: services.database, kinds: callersKindsOf(services, runs) });

/**
 * Runs all other jobs in this process, and enqueues the recurring ones.
 * @returns a function that stops them. It aborts the signals of jobs in progress, and resolves when they have ended.
 */
export async function startJobs(services: Services, options: Callbacks): Promise<() => Promise<void>> {
  const { database } = services;
  const kinds = kindsOf(services);
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
