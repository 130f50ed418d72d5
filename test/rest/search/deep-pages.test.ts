/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

/** Pages from the second document on are deep. */
const server = useServer(
  { SEARCH_COUNT_LIMIT: '3' },
  {
    chains: [
      {
        name: 'trashAndList',
        params: [{ name: 'query' }],
        operations: [
          { id: 'Document.Trash' },
          {
            id: 'Repository.Query',
            params: { query: 'expr:ChainParameters.query', pageSize: 5, currentPageIndex: 2 },
          },
        ],
      },
    ],
  },
);
const ann = useUser(server, 'ann');

type Agent = typeof ann;
type Given = Record<string, unknown>;

const send = (text: string, values: unknown[] = []) => server.database.query({ name: '', text }, values);

/** A folder of files, every fourth of which has no source. */
async function lay(
  count: number,
): Promise<{ folder: DocumentEntity; files: DocumentEntity[]; query: string }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const files: DocumentEntity[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const properties = {
      'dc:title': `t${nth % 7}`,
      ...(nth % 4 > 0 && { 'dc:source': `s${nth % 3}` }),
      ...(nth % 5 > 0 && { 'dc:issued': `2024-01-0${1 + (nth % 3)}T00:00:00.000Z` }),
    };
    files.push(await createDocument(server, { parent: folder.path, name: `n${nth}`, properties }));
  }
  const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}' AND ecm:isTrashed = 0`;
  return { folder, files, query };
}

const search = (agent: Agent, query: string, given: Given) =>
  agent.get('/api/v1/search/execute').query({ query, ...given });

const namesOf = async (agent: Agent, query: string, given: Given): Promise<string[]> =>
  namesIn(await search(agent, query, given).expect(200));

const byName = ' ORDER BY ecm:name';

let laid: Awaited<ReturnType<typeof lay>>;
beforeAll(async () => {
  await setAcl(server, '/', [grant('ann', 'Read'), grant('Administrator', 'Everything')]);
  laid = await lay(40);
  await setAcl(server, `${laid.folder.path}/n8`, [deny('ann', 'Everything')]);
});

describe('§4.7 pages by number', () => {
  test.each(['ecm:name', 'dc:title', 'dc:source', 'dc:issued', 'dc:created', 'ecm:pos', 'ecm:isTrashed'])(
    'are parts of the list in the order of %s, whichever were asked for before',
    async (sortBy) => {
      for (const agent of [server.request, ann])
        for (const sortOrder of ['asc', 'desc']) {
          const order = { sortBy, sortOrder };
          const all = await namesOf(agent, laid.query, { ...order, pageSize: 100 });
          expect(all).toHaveLength(agent === ann ? 39 : 40);
          await fc.assert(
            fc.asyncProperty(
              fc.integer({ min: 0, max: 45 }),
              fc.integer({ min: 1, max: 12 }),
              async (offset, pageSize) => {
                const page = await namesOf(agent, laid.query, { ...order, offset, pageSize });
                expect(page).toEqual(all.slice(offset, offset + pageSize));
              },
            ),
            { numRuns: 8 },
          );
        }
    },
  );

  test('say what the first page says, in as many statements, and end with maxResults', async () => {
    const ask = (currentPageIndex: number, more: Given = {}) =>
      search(server.request, laid.query + byName, { pageSize: 5, currentPageIndex, ...more }).expect(200);
    const [first, second, third, again] = [await ask(0), await ask(1), await ask(2), await ask(2)];
    for (const { body } of [first, second, third, again])
      expect(body).toMatchObject({ resultsCount: -2, resultsCountLimit: 3, pageSize: 5 });
    expect(statements(third)).toBe(statements(second));
    expect(statements(again)).toBe(statements(second));
    expect(again.body).toEqual(third.body);
    expect(namesIn(await ask(2, { maxResults: 12 }))).toHaveLength(2);
    expect(namesIn(await ask(3, { maxResults: 12 }))).toHaveLength(0);
    expect(namesIn(await ask(7))).toHaveLength(5);
    expect(namesIn(await ask(8))).toHaveLength(0);
    expect(namesIn(await ask(1_000_000))).toHaveLength(0);
    expect(namesIn(await ask(1_000_000, { maxResults: 12 }))).toHaveLength(0);
  });

  test('begin at the end of the page before, until a document changes', async () => {
    const { query, files } = await lay(20);
    const all = await namesOf(server.request, query + byName, { pageSize: 100 });
    const page = (offset: number) => namesOf(server.request, query + byName, { pageSize: 5, offset });
    expect(await page(5)).toEqual(all.slice(5, 10));
    // The server knows nothing of it, so nothing shows it but reading from the beginning.
    await send("UPDATE search_document SET terms = '{}', is_trashed = true WHERE id = $1::uuid", [
      files.find(({ path }) => path.endsWith(`/${all[0]}`))?.uid,
    ]);
    expect(await page(10)).toEqual(all.slice(10, 15));
    expect(await page(15)).toEqual(all.slice(15, 20));
    expect(await page(12)).toEqual(all.slice(12, 17));
    await createDocument(server, {});
    expect(await page(10)).toEqual(all.slice(11, 16));
  });

  test('are right when more are found than are counted, but not a tenth more', async () => {
    const { query } = await lay(11);
    const all = await namesOf(server.request, query + byName, { pageSize: 100 });
    const page = (offset: number) => namesOf(server.request, query + byName, { pageSize: 3, offset });
    for (const offset of [2, 5, 8, 5, 6, 9, 10])
      expect(await page(offset)).toEqual(all.slice(offset, offset + 3));
  });

  test('follow the end of a permission', async () => {
    const { query, folder } = await lay(20);
    const end = new Date(Date.now() + 4_000).toISOString();
    const all = await namesOf(server.request, query + byName, { pageSize: 100 });
    for (const name of all.slice(0, 2))
      await setAcl(server, `${folder.path}/${name}`, [
        { ...grant('ann', 'Read'), end },
        deny('ann', 'Everything'),
      ]);
    const page = () => namesOf(ann, query + byName, { pageSize: 5, offset: 10 });
    expect(await page()).toEqual(all.slice(10, 15));
    await until(() => Date.now() > Date.parse(end));
    expect(await page()).toEqual(all.slice(12, 17));
  });

  test('are those of each search, order and user alone', async () => {
    const { query } = laid;
    const ofAnn = await namesOf(ann, query + byName, { pageSize: 100 });
    const all = await namesOf(server.request, query + byName, { pageSize: 100 });
    const reversed = `${query} ORDER BY ecm:name DESC`;
    for (const offset of [15, 20, 25]) {
      const page = { pageSize: 5, offset };
      expect(await namesOf(ann, query + byName, page)).toEqual(ofAnn.slice(offset, offset + 5));
      expect(await namesOf(server.request, query + byName, page)).toEqual(all.slice(offset, offset + 5));
      expect(await namesOf(server.request, reversed, page)).toEqual(
        all.toReversed().slice(offset, offset + 5),
      );
    }
  });

  test('are of what the own transaction leaves, and nothing of it remains when it ends', async () => {
    const { query, files } = await lay(25);
    const all = await namesOf(server.request, query + byName, { pageSize: 100 });
    expect(await namesOf(server.request, query + byName, { pageSize: 5, offset: 10 })).toEqual(
      all.slice(10, 15),
    );
    const trashed = files.filter(({ path }) => all.slice(0, 3).some((name) => path.endsWith(`/${name}`)));
    const answer = await call(server.request, 'trashAndList', {
      input: `docs:${trashed.map(({ uid }) => uid)}`,
      params: { query: query + byName },
    }).expect(200);
    expect(namesIn(answer)).toEqual(all.slice(13, 18));
    expect(await namesOf(server.request, query + byName, { pageSize: 5, offset: 10 })).toEqual(
      all.slice(13, 18),
    );
  });

  test('follow a change of permissions', async () => {
    const { query, folder } = await lay(20);
    const before = await namesOf(ann, query + byName, { pageSize: 100 });
    const page = () => namesOf(ann, query + byName, { pageSize: 5, offset: 10 });
    expect(await page()).toEqual(before.slice(10, 15));
    for (const name of before.slice(0, 2))
      await setAcl(server, `${folder.path}/${name}`, [deny('ann', 'Everything')]);
    expect(await page()).toEqual(before.slice(12, 17));
  });

  test('agree with the whole list after any changes', async () => {
    const { query, files, folder } = await lay(25);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('page'), at: fc.integer({ min: 1, max: 24 }) }),
      fc.record({ kind: fc.constantFrom('create', 'remove'), at: fc.integer({ min: 0, max: 24 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        for (const { kind, at } of steps) {
          if (kind === 'create') {
            const properties = { 'dc:title': `t${at}` };
            files.push(await createDocument(server, { parent: folder.path, properties }));
          }
          const [gone] = kind === 'remove' && files.length > 15 ? files.splice(at % files.length, 1) : [];
          if (gone) await server.request.delete(`/api/v1/id/${gone.uid}`).expect(204);
          if (kind !== 'page') continue;
          for (const agent of [server.request, ann]) {
            const order = { sortBy: 'dc:title', sortOrder: 'desc' };
            const all = await namesOf(agent, query, { ...order, pageSize: 100 });
            expect(await namesOf(agent, query, { ...order, pageSize: 4, offset: at })).toEqual(
              all.slice(at, at + 4),
            );
          }
        }
      }),
      { numRuns: 8 },
    );
  });
});
