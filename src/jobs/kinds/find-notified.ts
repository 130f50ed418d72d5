import type { Services } from '../../services.ts';
import { findNotified } from '../../store/notifications/find-notified.ts';
import type { JobKind } from '../job-runner.ts';

/** Seconds between two looks, so that a person gets one mail in that time at most. */
const interval = 60;

/** Finds whom to tell of new tasks and of changes, in the log. */
export const findNotifiedPeople = ({ database }: Services): JobKind => ({
  name: 'find-notified',
  most: 1,
  delays: [interval],
  every: interval,
  run: (job) => database.transaction(300, (db) => findNotified(db, job)),
});
