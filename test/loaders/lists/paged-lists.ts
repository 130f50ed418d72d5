import type { ManyEntries } from './many-entries.ts';

export type Given = Readonly<Record<string, unknown>>;

export interface PagedList {
  /** The names of the routes that serve the list. */
  readonly of: readonly string[];
  readonly at: () => string;
  readonly given?: () => Given;
  readonly orders?: readonly string[];
}

const ofProvider = (name: string) => () => `/api/v1/search/pp/${name}/execute`;
const logOrders = ['eventId asc', 'id asc', 'principalName asc,eventDate asc', 'docUUID,logDate', 'comment'];
export const byBoth = (name: string): string[] => [`${name}ByPath`, `${name}ById`];

/** The lists of some documents, which are created later. */
export function pagedLists(made: () => ManyEntries): Readonly<Record<string, PagedList>> {
  const at = (reference: 'folder' | 'ordered' | 'file', adapter: string) => () =>
    `/api/v1/id/${made()[reference].uid}/${adapter}`;
  return {
    children: {
      of: byBoth('getChildren'),
      at: at('folder', '@children'),
      orders: [
        'dc:source asc',
        'dc:source',
        'dc:title',
        'dc:issued asc,dc:title',
        'ecm:pos,ecm:name',
        'ecm:path asc',
      ],
    },
    'children by position': { of: [], at: at('ordered', '@children') },
    audit: { of: byBoth('getAudit'), at: at('file', '@audit'), orders: logOrders },
    comments: { of: byBoth('getComments'), at: at('file', '@comment') },
    annotations: { of: byBoth('getAnnotations'), at: at('file', '@annotation') },
    tasks: { of: ['getTasks'], at: () => '/api/v1/task' },
    'tasks of a document': {
      of: [...byBoth('getTasks'), ...byBoth('getTasksOfWorkflow')],
      at: at('file', '@task'),
    },
    workflows: { of: ['getWorkflows'], at: () => '/api/v1/workflow' },
    'workflows of a document': { of: byBoth('getWorkflows'), at: at('file', '@workflow') },
    users: { of: ['searchUsers'], at: () => '/api/v1/user/search', given: () => ({ q: '*' }) },
    'all users': { of: ['getUsers'], at: () => '/api/v1/user' },
    'all groups': { of: ['getGroups'], at: () => '/api/v1/group' },
    versions: { of: byBoth('getVersions'), at: at('file', '@versions') },
    'users with a prefix': { of: [], at: () => '/api/v1/user/search', given: () => ({ q: 'u' }) },
    groups: { of: ['searchGroups'], at: () => '/api/v1/group/search', given: () => ({ q: '*' }) },
    'users of a group': { of: ['getUsersOfGroup'], at: () => '/api/v1/group/g/@users' },
    'groups of a group': {
      of: ['getGroupsOfGroup'],
      at: () => '/api/v1/group/g/@groups',
      given: () => ({ q: 'h' }),
    },
    'directory entries': { of: ['getDirectoryEntries'], at: () => '/api/v1/directory/continent' },
    tokens: { of: [], at: () => '/api/v1/directory/authTokens' },
    clients: { of: [], at: () => '/api/v1/directory/oauth2Clients' },
    links: { of: ['getShareLinks'], at: () => '/api/v1/share' },
    'links to a document': { of: byBoth('getShareLinks'), at: at('file', '@share') },
    mails: { of: ['getMails'], at: () => '/api/v1/mail' },
    jobs: { of: ['getJobs'], at: () => '/api/v1/management/jobs', given: () => ({ kind: 'test' }) },
    'bulk actions': { of: ['getBulkCommands'], at: () => '/api/v1/management/bulk' },
    'saved searches': { of: ['getSavedSearches'], at: () => '/api/v1/search/saved', orders: ['dc:title'] },
    members: {
      of: ['searchByPageProvider', 'executePageProvider', 'queryPageProvider', ...byBoth('getProvided')],
      at: ofProvider('ordered_content_collection'),
      given: () => ({ queryParams: made().collection.uid }),
    },
    'provided log entries': {
      of: [],
      at: ofProvider('AUDIT_BROWSER'),
      given: () => ({ eventIds: 'documentCreated' }),
      orders: logOrders,
    },
    'provided tasks': { of: [], at: ofProvider('user_tasks') },
    'provided users': { of: [], at: ofProvider('nuxeo_principals_listing') },
    'provided members': {
      of: [],
      at: ofProvider('nuxeo_group_member_users_listing'),
      given: () => ({ queryParams: 'g' }),
    },
    'provided groups': { of: [], at: ofProvider('nuxeo_groups_listing') },
    'created groups': { of: [], at: ofProvider('LATEST_CREATED_USERS_OR_GROUPS_PROVIDER') },
    'provided entries': {
      of: [],
      at: ofProvider('nuxeo_directory_entry_listing'),
      given: () => ({ queryParams: 'continent' }),
    },
  };
}
