import { entityType, queryArguments, repeatedArguments, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';

/** A log entry (§2.6). */
export const logEntrySelection: Selection = {
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

/** The filters for log entries. An entry must match all of them. */
export const logQueryArguments = {
  ...queryArguments('eventId', 'category', 'startEventDate', 'endEventDate'),
  ...repeatedArguments('principalName'),
};

export const logEntriesSelection: Selection = { ...pageSelection, entries: logEntrySelection };
