import type { Services } from '../../services.ts';
import { findNotified } from '../../store/notifications/find-notified.ts';
import type { JobKind } from '../job-runner.ts';

/** The interval in seconds. Within it a person gets at most one mail. */
const interval = 60;

/** Finds, in the audit log, the people to notify about new tasks and about changes. */
export const findNotifiedPeople = ({ database }: Services): JobKind => ({
  name: 'find-notified',
  maxConcurrent: 1,
  delays: [interval],
  every: interval,
  run: (job) => database.transaction(300, (db) => findNotified(db, job)),
});
