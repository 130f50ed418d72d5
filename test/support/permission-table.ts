import { type Permission, permissions } from '../../src/security/permissions.ts';

/**
 * The permissions that each permission includes (§2.5). The table is repeated here, so that tests do not rely on the
 * code that they test.
 */
const table: Readonly<Record<string, string>> = {
  Read: 'Browse ReadVersion ReadProperties ReadChildren ReadLifeCycle ReadSecurity ReviewParticipant',
  ReadProperties: 'Browse',
  Write: 'AddChildren WriteProperties Remove ManageWorkflows WriteLifeCycle WriteVersion',
  WriteVersion: 'WriteProperties',
  Version: 'ReadVersion WriteVersion',
  Remove: 'RemoveChildren WriteLifeCycle',
  ReadRemove: 'Read Remove',
  ReadWrite: 'Read Write',
  ReadCanCollect: 'Read WriteProperties',
  Comment: 'WriteLifeCycle',
  DataVisualization: 'Read',
  Everything: permissions.filter((name) => name !== 'Everything').join(' '),
};

/** Returns a permission and all permissions that it includes, according to the table above. */
export function contentOf(permission: Permission): ReadonlySet<Permission> {
  const parts = (table[permission] ?? '').split(' ').filter(Boolean) as Permission[];
  return new Set([permission, ...parts.flatMap((part) => [...contentOf(part)])]);
}
