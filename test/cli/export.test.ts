/** @group slow */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { type ProcessSettings, processSettings } from '../db/processes.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument, storeProperties } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { useUsers } from '../support/users.ts';
import { quire as quireHere, quireProcess } from './run-quire.ts';

jest.setTimeout(180_000);

const server = useServer();
useUsers(server, 'ann');

const top = '/default-domain/workspaces/top';

const quire = (settings: Record<string, string>, ...args: string[]) => quireHere(args, settings);

const here = (): Record<string, string> => ({ DATA_DIR: server.dataDir, DATABASE_URL: server.url ?? '' });

/** Lines of an export, and the bytes of its files by name. */
async function contentOf(folder: string) {
  const lines = (await readFile(join(folder, 'documents.jsonl'), 'utf8')).trim().split('\n');
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const bytes = files.map(async ({ name, parentPath }) => [
    name,
    await readFile(join(parentPath, name), 'utf8'),
  ]);
  return {
    documents: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    files: Object.fromEntries(await Promise.all(bytes)) as Record<string, string>,
  };
}

const folder = join(newFolder(), 'exported');
let other: ProcessSettings;
beforeAll(async () => {
  other = await processSettings();
  await createDocument(server, { type: 'Workspace', name: 'top', properties: { 'dc:title': 'Top' } });
  const ordered = await createDocument(server, { type: 'OrderedFolder', parent: top, name: 'ordered' });
  for (const name of ['b', 'a', 'c'])
    await createDocument(server, { type: 'Note', parent: ordered.path, name });
  const run = calling(server);
  await run('Document.Order', `${ordered.path}/c`, { before: `${ordered.path}/a` }).expect(({ status }) =>
    expect([200, 204]).toContain(status),
  );
  const file = await createDocument(server, {
    parent: top,
    name: 'file',
    properties: {
      'dc:title': 'A file, "ä"',
      'dc:subjects': ['sciences/astronomy'],
      'dc:created': '2020-02-03T04:05:06.000Z',
      'file:content': { name: 'ä b.txt', 'mime-type': 'text/x-own', content: 'the bytes' },
      'files:files': [
        { file: { name: 'same.txt', content: 'the bytes' } },
        { file: { name: 'c', content: 'others' } },
      ],
    },
  });
  // Values that were stored before their limits, and an entry that is gone, are not checked again.
  await storeProperties(server, file.uid, { 'dc:source': 'x'.repeat(100_001), 'dc:nature': 'gone' });
  await run('Services.TagDocument', file.uid, { tags: 'red,green' }).expect(({ status }) =>
    expect([200, 204]).toContain(status),
  );
  await run('Document.AddFacet', file.uid, { facet: 'HasStoryboard' }).expect(({ status }) =>
    expect([200, 204]).toContain(status),
  );
  await run('Document.FollowLifecycleTransition', file.uid, { value: 'approve' }).expect(({ status }) =>
    expect([200, 204]).toContain(status),
  );
  await setAcl(server, ordered.path, [grant('ann', 'ReadWrite')]);
  // Cleared defaults stay cleared.
  await server.request
    .put(`/api/v1/id/${file.uid}`)
    .send({ 'entity-type': 'document', properties: { 'common:icon': null } })
    .expect(200);
  // What is left out.
  await run('Document.CheckIn', `${ordered.path}/b`, { version: 'minor' }).expect(({ status }) =>
    expect([200, 204]).toContain(status),
  );
  const gone = await createDocument(server, { parent: top, name: 'gone' });
  await run('Document.Trash', gone.uid).expect(({ status }) => expect([200, 204]).toContain(status));
  await server.request.post(`/api/v1/id/${file.uid}/@comment`).send({
    'entity-type': 'comment',
    parentId: file.uid,
    text: 'well',
  });
});

test('an export that is imported into another server, and exported there, is the same', async () => {
  const exported = await quireProcess(['export', '--path', top, folder], here());
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(exported.out).toMatch(
    /^6 documents and 2 files have been exported to .*\nLeft out: \d versions\nLeft out: 1 documents in the trash\nLeft out: 1 comments\n$/,
  );
  const { documents, files } = await contentOf(folder);
  const names = documents.map(({ path }) => String(path).slice(top.length));
  expect(names).toEqual(
    expect.arrayContaining(['', '/ordered', '/file', '/ordered/b', '/ordered/a', '/ordered/c']),
  );
  expect(Object.values(files).sort()).toEqual(['others', 'the bytes']);
  const icons = documents.map(({ properties }) => (properties as Record<string, unknown>)['common:icon']);
  expect(icons.filter((icon) => icon === null)).toHaveLength(1);
  expect(icons.filter((icon) => typeof icon === 'string')).toHaveLength(5);

  const refused = await quire(other.settings, 'import', folder);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('ann') });
  expect(await quire(other.settings, 'user', 'create', 'ann')).toMatchObject({ code: 0 });
  const imported = await quire(other.settings, 'import', folder, '--json');
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(imported.out)).toMatchObject({ created: 6, existing: 0, line: 6 });
  const again = join(newFolder(), 'again');
  expect(await quire(other.settings, 'export', again, '--path', top)).toMatchObject({ code: 0 });
  expect(await contentOf(again)).toEqual({ documents, files });

  const elsewhere = await quire(other.settings, 'import', folder, '--to', '/default-domain/templates');
  expect(elsewhere).toMatchObject({ code: 0, out: expect.stringContaining('6 documents created') });
  const kept = await quire(other.settings, 'import', folder, '--skip-existing', '--json');
  expect(JSON.parse(kept.out)).toMatchObject({ created: 0, existing: 6 });
});

test('an export does not overwrite, and needs its document; an import needs its files', async () => {
  expect(await quire(here(), 'export', folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not empty'),
  });
  const none = join(newFolder(), 'x');
  const gone = await quire(here(), 'export', none, '--path', '/gone');
  expect(gone).toMatchObject({ code: 1, err: 'There is no document at /gone in the repository default.\n' });
  expect(existsSync(none)).toBe(false);
  const { files } = await contentOf(folder);
  const [digest = ''] = Object.entries(files).find(([, text]) => text === 'others') ?? [];
  const file = join(folder, 'files', digest.slice(0, 2), digest);
  await using third = await processSettings();
  await quire(third.settings, 'user', 'create', 'ann');
  await writeFile(file, 'damaged');
  const damaged = await quire(third.settings, 'import', folder);
  expect(damaged).toMatchObject({
    code: 1,
    err: expect.stringContaining('is damaged: its SHA-256 digest does not match its name'),
  });
  await rm(file);
  const missing = await quire(third.settings, 'import', folder);
  expect(missing).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^line \d: files\/.* is missing from the export/),
  });
});
