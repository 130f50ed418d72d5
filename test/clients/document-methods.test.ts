import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document, default as Nuxeo } from 'nuxeo';
import { administrator } from '../support/administrator.ts';
import { use } from '../support/use.ts';
import { startConnected, statusOf } from './connected.ts';

const connected = use(startConnected);
let client: Nuxeo;
let file: Document;
beforeAll(() => {
  client = connected.client;
});

const workspaces = '/default-domain/workspaces';
let count = 0;

beforeEach(async () => {
  count += 1;
  file = await client.repository().create(workspaces, {
    'entity-type': 'document',
    name: `file-${count}`,
    type: 'File',
    properties: { 'dc:title': `File ${count}`, 'dc:nature': 'memo' },
  });
});

describe('§4.9, §10 documents of the JavaScript client', () => {
  test('are fetched with enrichers', async () => {
    const names = ['acls', 'breadcrumb', 'favorites', 'permissions', 'tags'];
    const repository = names.reduce((asked, name) => asked.enricher('document', name), client.repository());
    const { contextParameters } = await repository.fetch(file.uid);
    expect(Object.keys(contextParameters).sort()).toEqual(names);
  });

  test('are fetched with references as entities', async () => {
    const fetching = client
      .repository()
      .fetchProperty('document', 'dc:creator')
      .fetchProperty('document', 'dc:nature');
    const found = await fetching.fetch(file.uid);
    expect(found.get('dc:creator')).toMatchObject({ 'entity-type': 'user', id: administrator.username });
    expect(found.get('dc:nature')).toMatchObject({ 'entity-type': 'directoryEntry', id: 'memo' });
  });

  test('can be saved with fetched entities inside', async () => {
    const asked = client
      .repository()
      .enricher('document', 'breadcrumb')
      .fetchProperty('document', 'properties');
    const found = await asked.depth('max').fetch(file.uid);
    const saved = await found.set({ 'dc:description': 'kept' }).save();
    expect(saved.get('dc:description')).toBe('kept');
    expect((await client.repository().fetch(file.uid)).properties).toMatchObject({
      'dc:nature': 'memo',
      'dc:creator': administrator.username,
    });
  });

  test('list their log entries by event', async () => {
    await file.set({ 'dc:title': 'new' }).save();
    const all = await file.fetchAudit();
    expect(all.entries.map(({ eventId }) => eventId)).toEqual(['documentModified', 'documentCreated']);
    const created = await file.fetchAudit({ eventId: 'documentCreated', pageSize: 0 });
    expect(created.entries).toHaveLength(1);
  });
});

describe('§12 permissions in the JavaScript client', () => {
  test('can be granted, listed and removed', async () => {
    await file.addPermission({ permission: 'ReadWrite', username: 'members' });
    const fetched = await client.repository().fetch(file.uid);
    const [local] = await fetched.fetchACLs();
    expect(local).toMatchObject({ name: 'local', aces: [{ username: 'members', permission: 'ReadWrite' }] });
    await file.removePermission({ id: local?.aces[0]?.id });
    const after = await (await client.repository().fetch(file.uid)).fetchACLs();
    expect(after.map(({ name }) => name)).toEqual(['inherited']);
  });

  test('can be checked', async () => {
    expect(await file.hasPermission('Write')).toBe(true);
    expect(await file.hasPermission('Nonsense')).toBe(false);
  });
});

describe('a document of the JavaScript client', () => {
  test('can be locked and unlocked', async () => {
    await file.lock();
    expect(await file.fetchLockStatus()).toEqual({
      lockOwner: administrator.username,
      lockCreated: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await file.unlock();
    expect(await file.fetchLockStatus()).toEqual({});
  });

  test('can follow the transitions of its life cycle', async () => {
    expect((await file.followTransition('approve')).state).toBe('approved');
    expect((await file.followTransition('backToProject')).state).toBe('project');
    expect(await statusOf(file.followTransition('backToProject'))).toBe(409);
  });

  test('can be moved, with another name or its own', async () => {
    const sections = '/default-domain/sections';
    expect((await file.move(sections, 'moved')).path).toBe(`${sections}/moved`);
    expect((await file.move(workspaces)).path).toBe(`${workspaces}/moved`);
  });
});
