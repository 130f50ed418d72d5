import { describe, expect, test } from '@jest/globals';
import {
  isPermission,
  offeredPermissions,
  permissions,
  permissionsGranting,
} from '../../src/security/permissions.ts';

/** The inverse of §2.5: the permissions that contain each one, without itself and Everything. */
const containers: Record<string, string> = {
  Browse: 'Read ReadProperties ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReadProperties: 'Read ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReadChildren: 'Read ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReadLifeCycle: 'Read ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReadSecurity: 'Read ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReviewParticipant: 'Read ReadRemove ReadWrite ReadCanCollect DataVisualization',
  ReadVersion: 'Read Version ReadRemove ReadWrite ReadCanCollect DataVisualization',
  Read: 'ReadRemove ReadWrite ReadCanCollect DataVisualization',
  WriteProperties: 'Write WriteVersion Version ReadWrite ReadCanCollect',
  AddChildren: 'Write ReadWrite',
  RemoveChildren: 'Remove Write ReadRemove ReadWrite',
  WriteLifeCycle: 'Remove Write ReadRemove ReadWrite Comment',
  ManageWorkflows: 'Write ReadWrite',
  WriteVersion: 'Write Version ReadWrite',
  Remove: 'Write ReadRemove ReadWrite',
  Write: 'ReadWrite',
  Version: '',
  ReadRemove: '',
  ReadWrite: '',
  ReadCanCollect: '',
  Comment: '',
  DataVisualization: '',
  WriteSecurity: '',
  Unlock: '',
  CanAskForPublishing: '',
  Moderate: '',
  RestrictedRead: '',
  MakeRecord: '',
  SetRetention: '',
  UnsetRetention: '',
  ManageLegalHold: '',
  WriteColdStorage: '',
  Everything: '',
};

describe('§2.5 the permissions', () => {
  test('are exactly those of the table', () => {
    expect([...permissions].sort()).toEqual(Object.keys(containers).sort());
  });

  test.each(permissions)('%s is contained in exactly its containers', (permission) => {
    const expected = [permission, 'Everything', ...(containers[permission] ?? '').split(' ').filter(Boolean)];
    expect([...permissionsGranting(permission)].sort()).toEqual([...new Set(expected)].sort());
  });

  test.each(['', 'read', 'READ', 'Nosuch', 'constructor', '__proto__', 'toString'])(
    '%j is no permission',
    (name) => {
      expect(isPermission(name)).toBe(false);
    },
  );
});

describe('§4.9 the permissions offered to clients', () => {
  test.each([
    [[], ['Read', 'ReadWrite', 'Everything']],
    [['Folderish'], ['Read', 'ReadWrite', 'Everything']],
    [['Collection'], ['Read', 'ReadCanCollect', 'ReadWrite', 'Everything']],
    [['PublishSpace'], ['Read', 'ReadWrite', 'Everything', 'CanAskForPublishing']],
    [['MasterPublishSpace'], ['Read', 'ReadWrite', 'Everything', 'CanAskForPublishing']],
    [
      ['PublishSpace', 'MasterPublishSpace'],
      ['Read', 'ReadWrite', 'Everything', 'CanAskForPublishing'],
    ],
    [['DocumentRoute'], ['Read', 'ReadWrite', 'Everything', 'DataVisualization']],
  ])('with the facets %j: %j', (facets, expected) => {
    expect(offeredPermissions(facets)).toEqual(expected);
  });
});
