/** §2.5: every permission, with those that it contains. `within` adds all of them to Everything. */
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

function within(permission: Permission): ReadonlySet<Permission> {
  if (permission === 'Everything') return new Set(permissions);
  const parts: readonly Permission[] = contained[permission];
  return new Set([permission, ...parts.flatMap((part) => [...within(part)])]);
}

const deciding = new Map<Permission, ReadonlySet<string>>(
  permissions.map((wanted) => [
    wanted,
    new Set(permissions.filter((permission) => within(permission).has(wanted))),
  ]),
);

/** The wanted permission and those that contain it: an ACE with any of these decides about it. */
export const permissionsGranting = (wanted: Permission): ReadonlySet<string> =>
  deciding.get(wanted) ?? new Set();

/** Whether a permission is part of Write, which the lock of another user denies. */
export const isWritePermission = (permission: Permission): boolean =>
  permissionsGranting(permission).has('Write');

const offered: readonly Permission[] = ['Read', 'ReadWrite', 'Everything'];

/** Other permissions that documents of a facet offer, and after which one they are listed. */
const offeredBy: ReadonlyArray<{ facet: string; permission: Permission; behind: Permission }> = [
  { facet: 'Collection', permission: 'ReadCanCollect', behind: 'Read' },
  { facet: 'PublishSpace', permission: 'CanAskForPublishing', behind: 'Everything' },
  { facet: 'MasterPublishSpace', permission: 'CanAskForPublishing', behind: 'Everything' },
  { facet: 'DocumentRoute', permission: 'DataVisualization', behind: 'Everything' },
];

/** §4.9: the permissions that clients offer for choice on a document of these facets. */
export function offeredPermissions(facets: readonly string[]): Permission[] {
  const found = [...offered];
  for (const { facet, permission, behind } of offeredBy) {
    if (!facets.includes(facet) || found.includes(permission)) continue;
    found.splice(found.indexOf(behind) + 1, 0, permission);
  }
  return found;
}
