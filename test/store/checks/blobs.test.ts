import { existsSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { breakBy, faultsOf, runCheck } from './check-support.ts';

const server = useServer();

test('the check finds wrong references, bytes, lengths and digests, and repairs the references', async () => {
  const { path, uid } = await createDocument(server, {
    properties: {
      'file:content': { name: 'a.txt', content: 'the bytes' },
      'files:files': [{ file: { name: 'b.txt', content: 'others' } }],
    },
  });
  const { documentBlob } = server.database.prisma;
  const before = await documentBlob.findMany({ where: { documentId: uid }, orderBy: { xpath: 'asc' } });
  const [main, attached] = before.map(({ digest }) => digest);
  expect(before.map(({ xpath }) => xpath)).toEqual(['file:content', 'files:files/0/file']);
  expect(await runCheck(server, 'blobs', { readsBytes: true })).toMatchObject({
    faults: [],
    note: { counts: { unreferenced: 0 } },
  });

  await breakBy(
    server,
    `DELETE FROM document_blob WHERE document_id = '${uid}' AND xpath = 'files:files/0/file'`,
    `UPDATE document_blob SET xpath = 'file:other' WHERE document_id = '${uid}'`,
  );
  expect(await faultsOf(server, 'blobs')).toEqual([`unheld ${path}`, `unlisted ${path}`]);
  const repaired = [`unheld ${path} repaired`, `unlisted ${path} repaired`];
  expect(await faultsOf(server, 'blobs', { isRepairing: true })).toEqual(repaired);
  expect(await documentBlob.findMany({ where: { documentId: uid }, orderBy: { xpath: 'asc' } })).toEqual(
    before,
  );

  await breakBy(
    server,
    `UPDATE document SET properties = jsonb_set(properties, '{file:content,length}', '7') WHERE id = '${uid}'`,
  );
  expect((await runCheck(server, 'blobs')).faults).toEqual([
    {
      kind: 'length',
      isRepaired: false,
      message: `has 9 bytes instead of 7: ${main}, of ${path} file:content`,
    },
  ]);
  await breakBy(
    server,
    `UPDATE document SET properties = jsonb_set(properties, '{file:content,length}', '9') WHERE id = '${uid}'`,
  );

  await writeFile(blobFile(server, main ?? ''), 'the byteS');
  expect(await faultsOf(server, 'blobs')).toEqual([]);
  expect(await faultsOf(server, 'blobs', { readsBytes: true })).toEqual(['bytes-damaged -']);
  await rm(blobFile(server, attached ?? ''));
  expect((await runCheck(server, 'blobs')).faults).toEqual([
    {
      kind: 'bytes-missing',
      isRepaired: false,
      message: `the store does not have the bytes of ${attached}, of ${path} files:files/0/file`,
    },
  ]);
  await writeFile(blobFile(server, attached ?? ''), 'others');
});

test('the check counts files that no row refers to, which are not faults', async () => {
  await server.blobs.write([Buffer.from('of no document')]);
  const { note } = await runCheck(server, 'blobs');
  expect(note).toMatchObject({
    text: expect.stringMatching(/^No row refers to 1 files in the blob store/),
    counts: { unreferenced: 1 },
  });
});

test('an interrupted check finishes the unused files that it is deleting, and ends', async () => {
  const old = new Date(Date.now() - 2 * 86_400_000);
  const written = ['a', 'b', 'c'].map((content) => server.blobs.write([Buffer.from(content)]));
  const files = (await Promise.all(written)).map(({ digest }) => blobFile(server, digest)); // in three folders
  for (const file of files) await utimes(file, old, old);
  const controller = new AbortController();
  const asked: string[] = [];
  const query: typeof server.database.query = ({ name, ...rest }, values) => {
    asked.push(name);
    if (name === 'referenced-blobs') controller.abort();
    return server.database.query({ name, ...rest }, values);
  };
  const options = { isRepairing: true, signal: controller.signal, database: { ...server.database, query } };
  expect(await runCheck(server, 'blobs', options)).toMatchObject({ note: undefined });
  expect(asked.filter((name) => name === 'referenced-blobs')).toHaveLength(1);
  expect(files.filter((file) => existsSync(file)).length).toBeGreaterThanOrEqual(2);
  expect(await runCheck(server, 'blobs', { isRepairing: true })).toMatchObject({
    note: { counts: { deleted: expect.any(Number) } },
  });
  expect(files.filter((file) => existsSync(file))).toEqual([]);
});

test('the check compares the search index with the documents, and repairs it', async () => {
  const { uid } = await createDocument(server);
  await server.searchIndex.catchUp(server.database);
  await breakBy(server, `UPDATE search_document SET title = 'another one' WHERE id = '${uid}'`);
  expect(await faultsOf(server, 'index')).toEqual(['index -']);
  expect(await faultsOf(server, 'index', { isRepairing: true })).toEqual(['index - repaired']);
  expect(await faultsOf(server, 'index')).toEqual([]);
});
