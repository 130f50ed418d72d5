import { describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, params: Record<string, unknown>, who = server.request) =>
  call(who, `Directory.${id}`, { params });
const read = async (directoryName: string, entries: unknown, more = {}) =>
  (await run('ReadEntries', { directoryName, entries, ...more }).expect(200)).body;

describe('Directory.CreateEntries, UpdateEntries, DeleteEntries', () => {
  test('write all entries or none', async () => {
    const entries = [
      { id: 'draft', label: 'Draft', ordering: 1 },
      { id: 'sketch', label: 'Sketch' },
    ];
    const create = { directoryName: 'nature', entries: JSON.stringify(entries) };
    expect((await run('CreateEntries', create).expect(200)).body).toEqual(['draft', 'sketch']);
    expect(await read('nature', ['sketch', 'draft'])).toEqual([
      { id: 'sketch', label: 'Sketch', obsolete: 0, ordering: 10_000_000 },
      { id: 'draft', label: 'Draft', obsolete: 0, ordering: 1 },
    ]);
    const twice = [{ id: 'third' }, { id: 'draft' }];
    await run('CreateEntries', { directoryName: 'nature', entries: twice }).expect(400);
    const changes = [{ id: 'draft', label: 'New' }, { id: 'nosuch' }];
    await run('UpdateEntries', { directoryName: 'nature', entries: changes }).expect(404);
    await run('DeleteEntries', { directoryName: 'nature', entries: ['draft', 'nosuch'] }).expect(404);
    expect(await read('nature', ['third', 'draft'])).toMatchObject([{ id: 'draft', label: 'Draft' }]);

    const update = [{ id: 'draft', label: 'New', ordering: null }];
    expect((await run('UpdateEntries', { directoryName: 'nature', entries: update })).body).toEqual([
      'draft',
    ]);
    expect(await read('nature', ['draft'])).toMatchObject([{ label: 'New', obsolete: 0 }]);
    await run('DeleteEntries', { directoryName: 'nature', entries: '["draft"]', markObsolete: true }).expect(
      200,
    );
    expect(await read('nature', ['draft'])).toMatchObject([{ label: 'New', obsolete: 1 }]);
    await run('DeleteEntries', { directoryName: 'nature', entries: ['draft', 'sketch'] }).expect(200);
    expect(await read('nature', ['draft', 'sketch'])).toEqual([]);
  });

  test('delete or mark an entry once that is named twice', async () => {
    const entries = [{ id: 'slip' }, { id: 'leaf' }];
    await run('CreateEntries', { directoryName: 'nature', entries }).expect(200);
    const twice = { directoryName: 'nature', entries: ['slip', 'leaf', 'slip'] };
    await run('DeleteEntries', { ...twice, markObsolete: true }).expect(200);
    expect((await run('DeleteEntries', twice).expect(200)).body).toEqual(twice.entries);
    expect(await read('nature', twice.entries)).toEqual([]);
    await run('DeleteEntries', twice).expect(404);
  });

  test('accept numeric ids in directories whose ids the server assigns', async () => {
    const client = { clientId: 'c', name: 'C', redirectURIs: 'https://c.example/back' };
    const { body } = await run('CreateEntries', { directoryName: 'oauth2Clients', entries: [client] }).expect(
      200,
    );
    expect(body).toEqual([expect.stringMatching(/^\d+$/)]);
    const [entry] = await read('oauth2Clients', [Number(body[0])]);
    expect(entry).toMatchObject({ id: Number(body[0]), clientId: 'c', clientSecret: '' });
    await run('UpdateEntries', { directoryName: 'oauth2Clients', entries: [{ ...entry, name: 'D' }] }).expect(
      200,
    );
    expect(await read('oauth2Clients', body)).toMatchObject([{ name: 'D' }]);
  });

  test('refuse to delete the parent of other entries with 409', async () => {
    const { body } = await run('DeleteEntries', { directoryName: 'continent', entries: ['europe'] }).expect(
      409,
    );
    expect(body.message).toBe('This entry is referenced in another vocabulary.');
  });
});

describe('Directory.ReadEntries', () => {
  test('answers with the existing entries in the order of the ids', async () => {
    const found = await read('continent', ['europe', 'nosuch', 'africa']);
    expect(found.map(({ id }: { id: string }) => id)).toEqual(['europe', 'africa']);
    expect(await read('continent', '[]')).toEqual([]);
  });

  test('translates labels into the requested language', async () => {
    const labels = { translateLabels: 'true' };
    expect(await read('continent', ['europe'])).toMatchObject([
      { label: 'label.directories.continent.europe' },
    ]);
    expect(await read('continent', ['africa'], labels)).toMatchObject([{ label: 'Africa' }]);
    expect(await read('continent', ['africa'], { ...labels, lang: 'fr_FR' })).toMatchObject([
      { label: 'Afrique' },
    ]);
  });

  test('costs the same for any number of entries', async () => {
    const ask = (entries: unknown) => run('ReadEntries', { directoryName: 'continent', entries }).expect(200);
    const [one, all] = [await ask(['europe']), await ask(['europe', 'africa', 'asia', 'oceania'])];
    expect(all.body).toHaveLength(4);
    expect(statements(all)).toBe(statements(one));
  });

  test('needs an administrator for system directories, and credentials for all', async () => {
    const entries = ['europe'];
    await run('ReadEntries', { directoryName: 'continent', entries }, bob).expect(200);
    await run('ReadEntries', { directoryName: 'oauth2Clients', entries }, bob).expect(403);
    await server.anonymous.post('/api/v1/automation/Directory.ReadEntries').send({}).expect(401);
  });

  test('refuses unknown directories, directories of users and invalid ids', async () => {
    await run('ReadEntries', { directoryName: 'nosuch', entries: [] }).expect(404);
    await run('ReadEntries', { directoryName: 'userDirectory', entries: [] }).expect(400);
    const { body } = await run('ReadEntries', { directoryName: 'continent', entries: 'europe' }).expect(400);
    expect(body.message).toBe('entries must be a list of ids in JSON');
    await run('ReadEntries', { directoryName: 'continent', entries: ['a\0'] }).expect(400);
  });
});

describe('Directory.Entries', () => {
  test('answers with the fields of all entries in their order', async () => {
    const { body } = await run('Entries', { directoryName: 'continent' }).expect(200);
    const listed = await server.request.get('/api/v1/directory/continent').expect(200);
    expect(body).toEqual(listed.body.entries.map(({ properties }: { properties: object }) => properties));
    const french = await run('Entries', { directoryName: 'continent', translateLabels: true, lang: 'fr' });
    expect(french.body.map(({ label }: { label: string }) => label)).toContain('Afrique');
  });

  test('costs the same for any number of entries', async () => {
    const [few, many] = [
      await run('Entries', { directoryName: 'WorkflowType' }),
      await run('Entries', { directoryName: 'country' }),
    ];
    expect(many.body).toHaveLength(244);
    expect(statements(many)).toBe(statements(few));
  });

  test('needs an administrator', async () => {
    const { body } = await run('Entries', { directoryName: 'continent' }, bob).expect(403);
    expect(body.message).toBe('Only administrators can call Directory.Entries; bob is not one.');
  });

  test('refuses unknown directories, directories of groups and a missing name', async () => {
    await run('Entries', { directoryName: 'nosuch' }).expect(404);
    await run('Entries', { directoryName: 'groupDirectory' }).expect(400);
    await run('Entries', {}).expect(400);
  });
});
