import { type Permission, permissions } from '../../src/security/permissions.ts';

/** §2.5, spelled out once more for tests: what each permission contains. */
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

/** A permission and all that it contains, worked out by the tests' own means. */
export function contentOf(permission: Permission): ReadonlySet<Permission> {
  const parts = (table[permission] ?? '').split(' ').filter(Boolean) as Permission[];
  return new Set([permission, ...parts.flatMap((part) => [...contentOf(part)])]);
}
