import type { PageProvider } from '../model.ts';

/**
 * The kind of entity that a page provider returns instead of documents. The GraphQL field with the results has the
 * same name.
 */
export type FoundKind = 'logEntries' | 'tasks' | 'users' | 'groups' | 'usersOrGroups' | 'directoryEntries';

type Parameter =
  | 'documentId'
  | 'workflowId'
  | 'nodeName'
  | 'actors'
  | 'actorsOrDelegates'
  | 'group'
  | 'directory';

/** A page provider that returns entities other than documents (§4.7). */
export interface OtherProvider extends PageProvider {
  readonly finds: FoundKind;
  /** The positional parameters in order. Actors come last and can occur any number of times. */
  readonly takes: readonly Parameter[];
}

type More = Partial<Pick<OtherProvider, 'isSortable' | 'pageSize'>>;

const finding =
  (finds: FoundKind, more: More) =>
  (name: string, ...takes: Parameter[]): OtherProvider => ({
    name,
    finds,
    takes,
    query: '',
    file: undefined,
    ...more,
  });

const logs = finding('logEntries', { isSortable: true });
const ownTasks = finding('tasks', { isSortable: false });
const tasks = finding('tasks', { isSortable: false, pageSize: 0 });
const users = finding('users', { isSortable: false });
const groups = finding('groups', { isSortable: false });
const usersOrGroups = finding('usersOrGroups', { isSortable: false });
const entries = finding('directoryEntries', { isSortable: false });

/** Clients use both the singular and the plural of these names. */
const aboutDocuments = ['GET_TASKS_FOR_TARGET_DOCUMENT', 'GET_TASKS_FOR_TARGET_DOCUMENTS'].flatMap((name) => [
  tasks(name, 'documentId'),
  tasks(`${name}_AND_ACTORS`, 'documentId', 'actors'),
  tasks(`${name}_AND_ACTORS_OR_DELEGATED_ACTORS`, 'documentId', 'actorsOrDelegates'),
]);

const all: readonly OtherProvider[] = [
  logs('AUDIT_BROWSER'),
  logs('DOCUMENT_HISTORY_PROVIDER', 'documentId'),
  logs('EVENTS_VIEW'),
  ownTasks('user_tasks'),
  ownTasks('nuxeo_tasks_listing'),
  tasks('GET_TASKS_FOR_ACTORS', 'actors'),
  tasks('GET_TASKS_FOR_ACTORS_OR_DELEGATED_ACTORS', 'actorsOrDelegates'),
  tasks('GET_TASKS_FOR_PROCESS', 'workflowId'),
  tasks('GET_TASKS_FOR_PROCESS_AND_ACTORS', 'workflowId', 'actors'),
  tasks('GET_TASKS_FOR_PROCESS_AND_NODE', 'workflowId', 'nodeName'),
  ...aboutDocuments,
  users('nuxeo_principals_listing'),
  users('nuxeo_group_member_users_listing', 'group'),
  groups('nuxeo_groups_listing'),
  groups('nuxeo_group_member_groups_listing', 'group'),
  usersOrGroups('LATEST_CREATED_USERS_OR_GROUPS_PROVIDER'),
  entries('nuxeo_directory_entry_listing', 'directory'),
];

/**
 * The built-in page providers that return entities other than documents, by name. A contributed page provider with the
 * same name replaces the built-in one.
 */
export const otherProviders: ReadonlyMap<string, OtherProvider> = new Map(
  all.map((provider) => [provider.name, provider]),
);
