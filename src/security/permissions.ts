/**
 * §2.5: all permissions, each with the permissions that it directly contains. Everything contains all permissions,
 * which `within` handles separately.
 */
const contained = {
  Browse: [],
  ReadProperties: ['Browse'],
  ReadChildren: [],
  ReadLifeCycle: [],
  ReadSecurity: [],
  ReadVersion: [],
  ReviewParticipant: [],
  Read: [
    'Browse',
    'ReadVersion',
    'ReadProperties',
    'ReadChildren',
    'ReadLifeCycle',
    'ReadSecurity',
    'ReviewParticipant',
  ],
  WriteProperties: [],
  AddChildren: [],
  RemoveChildren: [],
  WriteLifeCycle: [],
  WriteSecurity: [],
  ManageWorkflows: [],
  Unlock: [],
  WriteVersion: ['WriteProperties'],
  Version: ['ReadVersion', 'WriteVersion'],
  Remove: ['RemoveChildren', 'WriteLifeCycle'],
  ReadRemove: ['Read', 'Remove'],
  Write: ['AddChildren', 'WriteProperties', 'Remove', 'ManageWorkflows', 'WriteLifeCycle', 'WriteVersion'],
  ReadWrite: ['Read', 'Write'],
  ReadCanCollect: ['Read', 'WriteProperties'],
  CanAskForPublishing: [],
  Comment: ['WriteLifeCycle'],
  Moderate: [],
  RestrictedRead: [],
  MakeRecord: [],
  SetRetention: [],
  UnsetRetention: [],
  ManageLegalHold: [],
  WriteColdStorage: [],
  DataVisualization: ['Read'],
  Everything: [],
} as const;

export type Permission = keyof typeof contained;

export const permissions = Object.keys(contained) as Permission[];

export const isPermission = (name: string): name is Permission => Object.hasOwn(contained, name);

/** Returns a permission and all permissions that it contains, directly or indirectly. */
function within(permission: Permission): ReadonlySet<Permission> {
  if (permission === 'Everything') return new Set(permissions);
  const parts: readonly Permission[] = contained[permission];
  return new Set([permission, ...parts.flatMap((part) => [...within(part)])]);
}

const deciding = new Map<Permission, ReadonlySet<string>>(
  permissions.map((permission) => [
    permission,
    new Set(permissions.filter((candidate) => within(candidate).has(permission))),
  ]),
);

/**
 * Returns the permission itself and all permissions that contain it. An ACE with any of these determines whether the
 * permission is granted.
 */
export const permissionsGranting = (permission: Permission): ReadonlySet<string> =>
  deciding.get(permission) ?? new Set();

/** Whether a permission is part of Write. A user's lock on a document denies these permissions to other users. */
export const isWritePermission = (permission: Permission): boolean =>
  permissionsGranting(permission).has('Write');

/** The permissions that can be chosen on every document. */
const offered: readonly Permission[] = ['Read', 'ReadWrite', 'Everything'];

/**
 * Permissions that can be chosen only on documents with a certain facet, and the permission after which each is listed.
 */
const offeredBy: ReadonlyArray<{ facet: string; permission: Permission; after: Permission }> = [
  { facet: 'Collection', permission: 'ReadCanCollect', after: 'Read' },
  { facet: 'PublishSpace', permission: 'CanAskForPublishing', after: 'Everything' },
  { facet: 'MasterPublishSpace', permission: 'CanAskForPublishing', after: 'Everything' },
  { facet: 'DocumentRoute', permission: 'DataVisualization', after: 'Everything' },
];

/** §4.9: returns the permissions that clients offer for a document with these facets. */
export function offeredPermissions(facets: readonly string[]): Permission[] {
  const found = [...offered];
  for (const { facet, permission, after } of offeredBy) {
    if (!facets.includes(facet) || found.includes(permission)) continue;
    found.splice(found.indexOf(after) + 1, 0, permission);
  }
  return found;
}
