import { beforeAll, describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const { request } = server;
const bob = useUser(server, 'bob', ['members']);

/** A text that PostgreSQL can hardly compress. */
const textOf = (name: string, length: number): string => {
  let [text, seed] = [`${name} `, 1];
  while (text.length < length) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += seed.toString(36);
  }
  return text.slice(0, length);
};

const sizes = { a: 100, b: 30_000, c: 10, d: 200_000, e: 5_000 };
const notes = new Map<string, DocumentEntity>();
let folder: DocumentEntity;

const noteOf = (name: string): DocumentEntity => notes.get(name) as DocumentEntity;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', name: 'large ones' });
  for (const [name, size] of Object.entries(sizes))
    notes.set(
      name,
      await createDocument(server, {
        parent: folder.path,
        type: 'Note',
        name,
        properties: { 'dc:title': name, 'note:note': textOf(name, size) },
      }),
    );
  await until(async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp);
});

/** The beginning and the length of a text: a whole one is of no use in the message of a test. */
const shortened = (text: unknown): string => `${String(text).slice(0, 20)}… ${String(text).length}`;

const contents = ({ body }: { body: { entries: DocumentEntity[] } }): string[] =>
  body.entries.map(({ properties }) => shortened(properties['note:note']));

const all = Object.entries(sizes).map(([name, size]) => shortened(textOf(name, size)));

describe('A document with large properties (§2.1)', () => {
  test.each([
    ['its id', (name: string) => atId(noteOf(name).uid)],
    ['its path', (name: string) => atPath(noteOf(name).path)],
  ])('is read whole by %s, by one more statement than a small one', async (_, address) => {
    const small = await request.get(address('c')).expect(200);
    const large = await request.get(address('d')).expect(200);
    expect(large.body.properties['note:note'] === textOf('d', sizes.d)).toBe(true);
    expect(large.body).toMatchObject({
      title: 'd',
      changeToken: noteOf('d').changeToken,
      uid: noteOf('d').uid,
    });
    expect(statements(large)).toBe(statements(small) + 1);
  });

  test('is listed whole among small ones, in their order, by one more statement for all of them', async () => {
    const page = await request.get(`${atPath(folder.path)}/@children`).expect(200);
    expect(contents(page)).toEqual(all);
    const one = await request
      .get(`${atPath(folder.path)}/@children`)
      .query({ pageSize: 1 })
      .expect(200);
    expect(contents(one)).toEqual([all[0]]);
    expect(statements(page)).toBe(statements(one) + 1);
  });

  test('is listed whole on a page by cursor', async () => {
    let cursor = '*';
    const found: unknown[] = [];
    do {
      const page = await request
        .get(`${atPath(folder.path)}/@children`)
        .query({ pageSize: 2, cursor })
        .expect(200);
      found.push(...contents(page));
      cursor = page.body.nextCursor ?? '';
    } while (cursor);
    expect(found).toEqual(all);
  });

  test('is found whole by a search', async () => {
    const query = `SELECT * FROM Note WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title`;
    const page = await request.get('/api/v1/search/execute').query({ query }).expect(200);
    expect(contents(page)).toEqual(all);
  });

  test('does not delay what others read by id meanwhile', async () => {
    const large = await createDocument(server, {
      parent: folder.path,
      type: 'Note',
      name: 'largest',
      properties: { 'note:note': textOf('largest', 4_000_000) },
    });
    const ended: string[] = [];
    const read = async (who: typeof bob, name: string, { uid }: DocumentEntity) => {
      await who.get(atId(uid)).expect(200);
      ended.push(name);
    };
    await read(bob, 'first', noteOf('c')); // so that bob is known
    const reads = Array.from({ length: 16 }, () => read(request, 'large', large));
    reads.push(...Array.from({ length: 4 }, () => read(bob, 'small', noteOf('c'))));
    await Promise.all(reads);
    expect(ended.slice(1).lastIndexOf('small')).toBeLessThan(10);
  });
});
