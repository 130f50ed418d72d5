/** @group slow */

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteUnusedFileWords, requestAllFileWords } from '../../../src/store/search/file-words.ts';
import { atId, type DocumentEntity } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { kinds, zipOf } from '../../support/made-files.ts';
import { statements, useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

beforeAll(async () => {
  await createUser(server, 'bob');
  await runJobs(server);
});

const found = async (word: string, request = server.request): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:fulltext = '${word}' AND ecm:isVersion = 0`;
  const { body } = await request.get('/api/v1/search/lang/NXQL/execute').query({ query }).expect(200);
  return body.entries.map(({ uid }: DocumentEntity) => uid);
};

const settled = () => settledFiles(server);

const put = (uid: string, content: string, mimeType = 'text/plain') =>
  server.request
    .put(atId(uid))
    .set('svc_es_sync', 'true')
    .send({ 'entity-type': 'document', properties: { 'file:content': { content, 'mime-type': mimeType } } })
    .expect(200);

let count = 0;
let word = '';
beforeEach(() => {
  count += 1;
  word = `pelican${count}`;
});

const reasons = async () =>
  (await server.database.prisma.rendition.findMany({ where: { digest: null } })).map(({ error }) => error);

describe('§4.7 ecm:fulltext finds the words of files', () => {
  test.each(Object.entries(kinds))('of %s', async (_, { type, of }) => {
    const { uid } = await createBinary(server, await of(word), { mimeType: type });
    await settled();
    expect(await found(word)).toEqual([uid]);
  });

  test('of RTF, in the code pages of its fonts', async () => {
    const bytes = Buffer.from(
      `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fnil\\fcharset204 Arial Cyr;}}` +
        `{\\f1 \\'ef\\'e5\\'eb\\'e8\\'ea\\'e0\\'ed}${count} caf\\'e9${count}}`,
    );
    const { uid } = await createBinary(server, bytes, { mimeType: 'application/rtf' });
    await settled();
    expect(await found(`пеликан${count}`)).toEqual([uid]);
    expect(await found(`café${count}`)).toEqual([uid]);
  });

  test('of a text in Latin-1, its last letter too', async () => {
    const bytes = Buffer.from(`${word}\xe9`, 'latin1');
    const { uid } = await createBinary(server, bytes, { mimeType: 'text/plain' });
    await settled();
    expect(await found(`${word}é`)).toEqual([uid]);
  });

  test('as soon as a write with svc_es_sync is answered, and not those of the file before', async () => {
    const { uid } = await createBinary(server, Buffer.from(word), { mimeType: 'text/plain' });
    await settled();
    await put(uid, `${word}second`);
    expect(await found(`${word}second`)).toEqual([uid]);
    expect(await found(word)).toEqual([]);
  });

  test('attached to other properties, of versions and of copies, which are read once', async () => {
    const { body } = await server.request
      .post('/api/v1/path/default-domain/workspaces')
      .set('svc_es_sync', 'true')
      .send({
        'entity-type': 'document',
        type: 'File',
        name: word,
        properties: { 'files:files': [{ file: { content: word } }] },
      })
      .expect(201);
    const before = await server.database.prisma.fileWords.count();
    const copied = await server.request
      .post('/api/v1/automation/Document.Copy')
      .send({ input: body.uid, params: { target: '/default-domain/workspaces', name: `${word}copy` } })
      .expect(200);
    await settled();
    expect((await found(word)).sort()).toEqual([body.uid, copied.body.uid].sort());
    expect(await server.database.prisma.fileWords.count()).toBe(before);
  });

  test('only for those who may read the document', async () => {
    await createBinary(server, Buffer.from(word), { mimeType: 'text/plain' });
    await settled();
    expect(await found(word, as(server, 'bob'))).toEqual([]);
  });

  test('but not those of scripts and styles, nor of files without text', async () => {
    const page = `<style>.${word}a{}</style><script>${word}b</script><b>${word}</b>`;
    const { uid } = await createBinary(server, Buffer.from(page), { mimeType: 'text/html' });
    await createBinary(server, Buffer.from(word), { mimeType: 'application/octet-stream' });
    await settled();
    expect(await found(word)).toEqual([uid]);
    expect(await found(`${word}a`)).toEqual([]);
    expect(await found(`${word}b`)).toEqual([]);
  });

  test('as far as they fit into the index', async () => {
    const many = Array.from({ length: 150_000 }, (_, index) => `${word}x${index.toString(36)}`).join(' ');
    const { uid } = await createBinary(server, Buffer.from(many), { mimeType: 'text/plain' });
    await settled();
    expect(await found(`${word}x0`)).toEqual([uid]);
  });
});

describe('a file that cannot be read', () => {
  const docx = kinds.DOCX?.type ?? '';

  test.each([
    ['is no archive', Buffer.from('no archive'), docx, /central directory/],
    ['is no PDF', Buffer.from('no PDF'), 'application/pdf', /./],
  ])('that %s is left out, and the reason is kept', async (_, bytes, mimeType, reason) => {
    const { uid } = await createBinary(server, bytes, { mimeType });
    await settled();
    await put(uid, word);
    expect(await found(word)).toEqual([uid]);
    expect((await reasons()).some((each) => reason.test(String(each)))).toBe(true);
  });

  test('since it unpacks to too much is left out soon', async () => {
    const bomb = await zipOf({ 'word/document.xml': ' '.repeat(101_000_000) });
    expect(bomb.length).toBeLessThan(200_000);
    await createBinary(server, bomb, { mimeType: docx });
    await settled();
    expect(await reasons()).toContain('the archive has more than 100000000 bytes when decompressed');
  });

  test('since its entities multiply is read without them', async () => {
    const entities = Array.from(
      { length: 30 },
      (_, index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`,
    ).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "boom">${entities}]><w:r xmlns:w="u"><w:t>${word} &e30;</w:t></w:r>`;
    const { uid } = await createBinary(server, await zipOf({ 'word/document.xml': bomb }), {
      mimeType: docx,
    });
    await settled();
    expect([[], [uid]]).toContainEqual(await found(word));
    expect(await found('boom')).toEqual([]);
  });
});

test('quire reindex --text has all files read again', async () => {
  const { uid } = await createBinary(server, Buffer.from(word), { mimeType: 'text/plain' });
  await settled();
  await server.database.query({ name: '', text: "UPDATE file_words SET words = ''" }, []);
  await put(uid, `${word}other`);
  expect(await requestAllFileWords(server.database)).toBeGreaterThan(1);
  await until(async () => {
    await settled();
    return (await found(`${word}other`)).length === 1;
  });
});

test('the words of files that no document has are deleted', async () => {
  const { uid } = await createBinary(server, Buffer.from(word), { mimeType: 'text/plain' });
  await settled();
  await server.database.query(
    { name: '', text: "UPDATE file_words SET created_at = now() - interval '2 days'" },
    [],
  );
  await deleteUnusedFileWords(server.database, 1);
  await settled();
  expect(await found(word)).toEqual([uid]);
  await server.request.delete(atId(uid)).expect(204);
  expect(await deleteUnusedFileWords(server.database, 1)).toBe(1);
});

test('a write asks for no statement more because of its files', async () => {
  const create = (content: string) =>
    server.request
      .post('/api/v1/path/default-domain/workspaces')
      .send({
        'entity-type': 'document',
        type: 'File',
        name: content,
        properties: { 'file:content': { content } },
      })
      .expect(201);
  const first = await create(`${word} 1`);
  expect(statements(await create(`${word} 2`))).toBe(statements(first));
});
