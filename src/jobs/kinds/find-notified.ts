import type { Services } from '../../services.ts';
import { findNotified } from '../../store/notifications/find-notified.ts';
import type { JobKind } from '../job-runner.ts';

/**
 * The number of seconds between searches for events to report. A person gets at most one email per interval.
 */
const interval = 60;

/** Searches the audit log for people to notify about new tasks and changes. */
export const findNotifiedPeople = ({ database }: Services): JobKind => ({
  name: 'find-notified',
  maxConcurrent: 1,
  delays: [interval],
  every: interval,
  run: (job) => database.transaction(300, (db) => findNotified(db, job, false)),
});

/** The hour at which digests are sent, in the time zone of the server. */
const digestHour = 6;

/** The number of seconds until the next digests. */
function secondsToDigest(): number {
  const [now, next] = [new Date(), new Date()];
  next.setHours(digestHour, 0, 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return Math.ceil((next.getTime() - now.getTime()) / 1000);
}

/**
 * Searches the audit log once a day for people to whom a digest is sent. It continues at the position in the log that
 * the last run has stored, so neither a restart nor another node repeats or misses anything.
 */
export const findDigests = ({ database }: Services): JobKind => ({
  name: 'find-digests',
  maxConcurrent: 1,
  delays: [interval],
  every: secondsToDigest,
  run: (job) => database.transaction(300, (db) => findNotified(db, job, true)),
});
