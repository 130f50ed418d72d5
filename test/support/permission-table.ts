import { type Permission, permissions } from '../../src/security/permissions.ts';

/**
 * The permissions that each permission contains (§2.5), repeated here so that tests do not rely on the code they
 * test.
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

/** A permission and all permissions that it contains, computed from the table of the tests. */
export function contentOf(permission: Permission): ReadonlySet<Permission> {
  const parts = (table[permission] ?? '').split(' ').filter(Boolean) as Permission[];
  return new Set([permission, ...parts.flatMap((part) => [...contentOf(part)])]);
}
