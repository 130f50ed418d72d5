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
  run: (job) => database.transaction(300, (db) => findNotified(db, job)),
});
