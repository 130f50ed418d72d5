/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { atPath as at, workspaces } from '../support/documents.ts';
import { useUsers } from '../support/users.ts';
import { folderLine as folder, useLineImports } from './line-imports.ts';

const { server, importing } = useLineImports();
useUsers(server, 'ann');

describe('a faulty line', () => {
  const note = (more: object = {}, name = 'faulty') => ({
    path: `${workspaces}/${name}`,
    type: 'Note',
    ...more,
  });

  test.each<[kind: string, line: string | object, message: string]>([
    ['no JSON', '{"path":', 'it is not valid JSON: Unexpected end of JSON input'],
    ['no object', '[]', 'Invalid input: expected object, received array'],
    ['no path', { type: 'Note' }, 'path is missing'],
    ['an unknown field', note({ acls: [] }), 'Unrecognized key: "acls"'],
    ['a relative path', { path: 'a', type: 'Note' }, 'path: "a" must begin with /'],
    ['a path that ends with /', { path: '/a/', type: 'Note' }, 'path: "/a/" must not end with /'],
    ['an unclean name', note({}, ' a'), 'because its name would be changed to "a"'],
    ['an impossible name', note({}, '..'), 'name: ".." cannot be a path segment'],
    ['an unknown type', note({ type: 'Nothing' }), 'Type: Nothing does not exist'],
    ['an unknown state', note({ state: 'deleted' }), 'state: Invalid option'],
    ['an unknown facet', note({ facets: ['Nothing'] }), 'Facet: Nothing does not exist'],
    ['a version', note({ isVersion: true }), 'isVersion: versions cannot be imported'],
    ['in the trash', note({ isTrashed: true }), 'isTrashed: documents in the trash cannot be imported'],
    [
      'retained',
      note({ retainUntil: '2100-01-01' }),
      'retainUntil: documents under retention cannot be imported',
    ],
    ['no permission', note({ acl: [{ username: 'ann' }] }), 'acl.0.permission is missing'],
    ['an unknown property', note({ properties: { 'dc:x': 1 } }), 'unknown property: dc:x'],
    [
      'a value of another type',
      note({ properties: { 'dc:title': 1 } }),
      'Unable to deserialize property: dc:title: expected a string, got a number',
    ],
    ['a broken constraint', note({ properties: { 'dc:subjects': ['none'] } }), 'dc:subjects: '],
    [
      'a title above its limit',
      note({ properties: { 'dc:title': 'x'.repeat(10_001) } }),
      'dc:title: This value is longer than 10000 characters.',
    ],
    [
      'the comment of an ACE above its limit',
      note({ acl: [{ username: 'ann', permission: 'Read', comment: 'x'.repeat(100_001) }] }),
      'comment: This value is longer than 100000 characters.',
    ],
    [
      'an unstorable text',
      note({ properties: { 'dc:title': '\0' } }),
      'strings must not contain the NUL character',
    ],
    [
      'an address of a blob',
      note({ type: 'File', properties: { 'file:content': { data: 'http://a/b' } } }),
      'there is no blob at http://a/b',
    ],
    [
      'an unknown permission',
      note({ acl: [{ username: 'ann', permission: 'Fly' }] }),
      'Permission Fly is invalid',
    ],
    [
      'an unknown user',
      note({ acl: [{ username: 'nobody', permission: 'Read' }] }),
      'names do not exist: [nobody]',
    ],
    [
      'a missing parent',
      { path: `${workspaces}/missing/a`, type: 'Note' },
      `its parent ${workspaces}/missing is neither in the repository nor in an earlier line`,
    ],
    ['a taken path', { path: workspaces, type: 'Folder' }, 'a document already exists at this path'],
  ])('%s ends the import by its number, and nothing of its batch is written', async (_, line, message) => {
    const { path, line: first } = folder();
    const outcome = await importing([first, '', line]);
    expect(outcome).toMatchObject({ created: 0, existing: 0, line: 0 });
    expect(outcome.fault).toContain('line 3: ');
    expect(outcome.fault).toContain(message);
    await server.request.get(at(path)).expect(404);
  });

  test('is a child before its parent, and the same path twice', async () => {
    const { path, line } = folder();
    const child = { path: `${path}/a`, type: 'Note' };
    expect((await importing([child, line])).fault).toContain('line 1: ');
    expect((await importing([line, child, child])).fault).toContain('line 3: ');
  });

  test('that is not in UTF-8 is named', async () => {
    const { fault } = await importing(Buffer.from([0x0a, 0xff, 0x0a]));
    expect(fault).toBe('line 2: the line is not valid UTF-8');
  });
});
