import { entityType, queried, type Selection } from '../../selection.ts';
import { page } from './page.ts';

/** §2.6 */
export const logEntry: Selection = {
  'entity-type': entityType,
  id: true,
  category: true,
  principalName: true,
  comment: true,
  docLifeCycle: true,
  docPath: true,
  docType: true,
  docUUID: true,
  eventId: true,
  repositoryId: true,
  eventDate: true,
  logDate: true,
  extended: true,
};

/** Which of them are wanted: those that fit all parameters of the query that are given. */
export const logFilter = queried('eventId', 'category', 'principalName', 'startEventDate', 'endEventDate');

/** A page of them. */
export const logEntries: Selection = { ...page, entries: logEntry };
