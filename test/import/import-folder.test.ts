import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newMeter } from '../../src/db/meter.ts';
import { dates } from '../../src/import/drafts.ts';
import { maxNoteBytes } from '../../src/model/notes.ts';
import { use } from '../support/use.ts';
import { stageImport, type Tree } from './fixture.ts';

const stage = use(stageImport);

const binary = Buffer.from([0, 1, 2, 3]);
const files = (count: number): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`file-${index}`, `text ${index}`]));

/** Of the document types that are seldom made of files. */
const none = { Picture: 0, Video: 0, Audio: 0 };

describe('an import', () => {
  test('creates documents for a folder and all its descendants', async () => {
    const path = await stage.folder({ 'a.txt': 'text', sub: { 'b.bin': binary, deeper: {} }, empty: '' });
    const { counts, skipped } = await stage.import(path);
    expect(counts).toEqual({
      created: { ...none, Folder: 3, File: 1, Note: 2 },
      existing: 0,
      skipped: 0,
      bytes: 8,
    });
    expect(skipped).toEqual({});

    const documents = await stage.imported(path);
    expect([...documents].map(([at, { type }]) => `${at}: ${type}`).sort()).toEqual(
      [
        ': Folder',
        'a.txt: Note',
        'empty: Note',
        'sub/b.bin: File',
        'sub/deeper: Folder',
        'sub: Folder',
      ].sort(),
    );
    expect(documents.get('')?.parentId).toBe(stage.target);
    expect(documents.get('a.txt')?.properties['note:note']).toBe('text');
    expect(documents.get('empty')?.properties['note:note']).toBe('');
  });

  test('takes titles and dates from the files, and the contributor from the settings', async () => {
    const path = await stage.folder({ ' odd\\name ': 'text' });
    const modified = new Date('2001-02-03T04:05:06.789Z');
    await utimes(join(path, ' odd\\name '), modified, modified);
    await stage.import(path, { user: 'root' });
    const document = (await stage.imported(path)).get('odd-name');
    expect(document?.title).toBe(' odd\\name ');
    expect(document?.properties).toEqual({
      'common:icon': '/icons/note.svg',
      'dc:title': ' odd\\name ',
      'dc:created': modified.toISOString(),
      'dc:modified': modified.toISOString(),
      'dc:creator': 'root',
      'dc:contributors': ['root'],
      'dc:lastContributor': 'root',
      'note:note': 'text',
      'note:mime_type': 'text/plain',
    });
  });

  test('adds a log entry for each created document, and none for existing ones', async () => {
    const path = await stage.folder({ one: binary, sub: { two: 'text' } });
    for (const user of ['first', 'second']) await stage.import(path, { user });
    const ids = [...(await stage.imported(path)).values()].map(({ id }) => id);
    const entries = await stage.scope.database.prisma.logEntry.findMany({ where: { docUuid: { in: ids } } });
    expect(entries.map(({ docUuid }) => docUuid).sort()).toEqual(ids.sort());
    for (const entry of entries)
      expect(entry).toMatchObject({ eventId: 'documentCreated', principalName: 'first' });
  });

  test('adds every blob to the document_blob table', async () => {
    const path = await stage.folder({ one: binary, two: binary, three: 'text' });
    await stage.import(path);
    const documents = await stage.imported(path);
    const ids = [...documents.values()].map(({ id }) => id);
    const rows = await stage.scope.database.prisma.documentBlob.findMany({
      where: { documentId: { in: ids } },
    });
    const blob = documents.get('one')?.properties['file:content'];
    expect(rows.map(({ documentId }) => documentId).sort()).toEqual(
      ['one', 'two'].map((name) => documents.get(name)?.id).sort(),
    );
    for (const { xpath, digest } of rows) {
      expect(xpath).toBe('file:content');
      expect(blob).toMatchObject({ digest });
    }
  });

  test('follows symbolic links to files, and lists what it cannot import', async () => {
    const path = await stage.folder({ sub: { file: 'text' }, 'control\u0007': 'text', data: {} });
    await symlink('sub/file', join(path, 'link'));
    await symlink('sub', join(path, 'folder-link'));
    await symlink('nowhere', join(path, 'dangling'));
    await symlink('circle', join(path, 'circle'));
    execFileSync('mkfifo', [join(path, 'pipe')]);
    const server = createServer().listen(join(path, 'socket'));
    await once(server, 'listening');
    await symlink('/dev/null', join(path, 'device'));
    await writeFile(Buffer.concat([Buffer.from(`${path}/latin-`), Buffer.from([0xfc])]), 'text');

    const { counts, skipped } = await stage.import(path, { dataFolder: join(path, 'data') });
    server.close();
    expect(skipped).toEqual({
      [join(path, 'folder-link')]: 'a symbolic link to a folder',
      [join(path, 'dangling')]: 'a broken symbolic link',
      [join(path, 'circle')]: 'a circular symbolic link',
      [join(path, 'pipe')]: 'a named pipe',
      [join(path, 'socket')]: 'a socket',
      [join(path, 'device')]: 'a device',
      [join(path, 'latin-\uFFFD')]: 'the name is not valid UTF-8',
      [join(path, 'control\u0007')]: 'name must not contain control characters',
      [join(path, 'data')]: 'the data folder of the server',
    });
    expect(counts).toMatchObject({ created: { Folder: 2, Note: 2 }, skipped: 9 });
    expect((await stage.imported(path)).get('link')?.properties['note:note']).toBe('text');
  });

  test('accepts a symbolic link as its folder and uses the name of the link', async () => {
    const path = await stage.folder({ file: 'text' });
    await symlink(path, `${path}-link`);
    await stage.import(`${path}-link`);
    expect([...(await stage.imported(`${path}-link`)).keys()].sort()).toEqual(['', 'file']);
  });

  test('skips the data folder of the server', async () => {
    const path = await stage.folder({ file: 'text' });
    const { skipped } = await stage.import(path, { dataFolder: path });
    expect(Object.keys(skipped)).toEqual([path]);
  });

  test('gives different names to files whose cleaned names are the same', async () => {
    const path = await stage.folder({ 'a-b': '1', 'a\\b': '2', ' a-b': { inside: '3' } });
    await stage.import(path);
    const documents = await stage.imported(path);
    const contents = [...documents.values()].map(({ title, properties }) => [title, properties['note:note']]);
    expect(Object.fromEntries(contents)).toMatchObject({ 'a-b': '1', 'a\\b': '2', inside: '3' });
    expect(documents.get('a-b')?.title).toBe('a-b');

    expect((await stage.import(path)).counts).toMatchObject({ existing: 5, created: { Folder: 0, Note: 0 } });
  });
});

describe('a second import', () => {
  test('keeps existing documents and adds missing ones', async () => {
    const path = await stage.folder({ file: 'old', sub: { file: binary } });
    await stage.import(path);
    await writeFile(join(path, 'file'), 'new');
    await writeFile(join(path, 'sub', 'added'), 'text');

    const { counts, skipped } = await stage.import(path);
    expect(counts).toMatchObject({ created: { Folder: 0, File: 0, Note: 1 }, existing: 4 });
    expect(skipped).toEqual({});
    expect((await stage.imported(path)).get('file')?.properties['note:note']).toBe('old');
  });

  test('lists files and folders whose document has the other type', async () => {
    const path = await stage.folder({ one: 'text', two: {} });
    await stage.import(path);
    execFileSync(
      'sh',
      ['-c', 'rm one && mkdir one && echo text > one/file && rmdir two && echo text > two'],
      {
        cwd: path,
      },
    );
    const { counts, skipped } = await stage.import(path);
    expect(skipped).toEqual({
      [join(path, 'one')]: 'the existing document with that name is a Note',
      [join(path, 'two')]: 'the existing document with that name is a Folder',
    });
    expect(counts).toMatchObject({ created: { Folder: 0, Note: 0 }, existing: 1 });
  });

  test('puts nothing into the hidden folder of the comments on a document', async () => {
    const path = await stage.folder({ Comments: { file: 'text' } });
    await stage.import(path);
    const { document } = stage.scope.database.prisma;
    const name = (await stage.imported(path)).get('Comments');
    await document.updateMany({ where: { id: name?.id ?? '' }, data: { type: 'CommentRoot' } });
    const { skipped } = await stage.import(path);
    expect(skipped).toEqual({
      [join(path, 'Comments')]: 'the existing document with that name is a CommentRoot',
    });
  });
});

describe('batches of an import', () => {
  async function statementsFor(path: string): Promise<number> {
    const meter = newMeter();
    await stage.import(path, { database: stage.scope.database.metered(meter) });
    return meter.statements;
  }

  test('cost the same number of statements for many files as for one', async () => {
    const few = await stage.folder({ ...files(1), bin: binary, sub: {} });
    const subs = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`sub-${index}`, {}]));
    const many = await stage.folder({ ...files(150), bin: binary, ...subs });
    expect(await statementsFor(many)).toBe(await statementsFor(few));
  });

  test('span folders and have at most 200 documents', async () => {
    const parts = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`part-${index}`, files(44)]));
    const seen: number[] = [];
    const onProgress = ({ created }: { created: { Note: number } }) => void seen.push(created.Note);
    await stage.import(await stage.folder(parts), {}, { onProgress });
    expect(seen).toEqual([0, 0, 200, 396]); // the folder, its nine, theirs
  });

  test('have fewer documents when their texts are long', async () => {
    const text = 'x'.repeat(maxNoteBytes - 1);
    const long = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`long-${index}`, text]));
    const seen: number[] = [];
    const onProgress = ({ created }: { created: { Note: number } }) => void seen.push(created.Note);
    await stage.import(await stage.folder(long), {}, { onProgress });
    expect(seen).toEqual([0, 5, 10, 12]);
  });

  test('an aborted import completes its current batch, and another import adds the rest', async () => {
    const path = await stage.folder({ sub: files(3) });
    const controller = new AbortController();
    const watch = { signal: controller.signal, onProgress: () => controller.abort() };
    expect((await stage.import(path, {}, watch)).counts.created.Folder).toBe(1);
    expect((await stage.import(path)).counts).toMatchObject({ existing: 1, created: { Folder: 1, Note: 3 } });
  });
});

describe('dates of imported documents', () => {
  const [early, late] = [new Date('2001-01-01T00:00:00Z'), new Date('2002-02-02T00:00:00Z')];
  test.each([
    ['the birth, before the change', early, early],
    ['the change, when the file is said to be born later', new Date('2003-01-01'), late],
    ['the change, when the birth is unknown', new Date(0), late],
    ['the change, when the birth is none', new Date(Number.NaN), late],
  ])('dc:created is %s', (_, birthtime, created) => {
    expect(dates({ birthtime, mtime: late })).toEqual({
      'dc:created': created.toISOString(),
      'dc:modified': late.toISOString(),
    });
  });

  test('an invalid modification time becomes the current time', () => {
    const { 'dc:modified': modified } = dates({ birthtime: early, mtime: new Date(Number.NaN) });
    expect(Date.now() - Date.parse(modified)).toBeLessThan(60_000);
  });
});

test('the imported folder is titled with its base name', async () => {
  const path = await stage.folder({});
  await stage.import(path);
  expect((await stage.imported(path)).get('')?.title).toBe(basename(path));
});
