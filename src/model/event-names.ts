import { normalizedName } from './names.ts';

/**
 * The names of all events that the server itself logs. The directory `eventTypes` contains them. Operations that
 * log events accept these names only from administrators.
 */
export const eventNames = [
  'documentCreated',
  'documentModified',
  'documentRemoved',
  'documentTrashed',
  'documentUntrashed',
  'documentMoved',
  'documentDuplicated',
  'documentCreatedByCopy',
  'documentLocked',
  'documentUnlocked',
  'documentSecurityUpdated',
  'documentCheckedIn',
  'documentCheckedOut',
  'documentRestored',
  'versionRemoved',
  'documentTagUpdated',
  'documentPublished',
  'documentUnpublished',
  'documentProxyPublished',
  'sectionContentPublished',
  'proxyRemoved',
  'addedToCollection',
  'removedFromCollection',
  'download',
  'afterMakeRecord',
  'afterSetRetention',
  'afterExtendRetention',
  'afterSetLegalHold',
  'afterRemoveLegalHold',
  'commentAdded',
  'commentUpdated',
  'commentRemoved',
  'commentResolved',
  'commentReopened',
  'lifecycle_transition_event',
  'loginSuccess',
  'loginFailed',
  'logout',
  'viewedAs',
  'user_created',
  'user_modified',
  'user_deleted',
  'group_created',
  'group_modified',
  'group_deleted',
  'afterWorkflowStarted',
  'afterWorkflowFinish',
  'afterWorkflowTaskCreated',
  'afterWorkflowTaskEnded',
  'afterWorkflowTaskReassigned',
  'afterWorkflowTaskDelegated',
  'workflowCanceled',
  'backupCreated',
] as const;

export type EventName = (typeof eventNames)[number];

/**
 * Normalizes an event name. Names that differ only in case or Unicode form count as equal, because receivers of
 * webhooks may compare names loosely.
 */
const comparable = (name: string): string => normalizedName(name, 'NFKC').trim().toLowerCase();

const comparableNames: ReadonlySet<string> = new Set(eventNames.map(comparable));

/**
 * Returns whether a name equals one of the server's own event names, ignoring case as well as leading and trailing
 * blanks.
 */
export const isServerEvent = (name: string): boolean => comparableNames.has(comparable(name));
