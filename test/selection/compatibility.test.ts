import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { compatibility } from '../../src/selection/compatibility.ts';
import { beginUpload, cut, send } from '../rest/uploads/upload-requests.ts';
import { createDocument } from '../support/documents.ts';
import { call } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { use } from '../support/use.ts';

const contract = use(() => startServer());
const reference = use(() => startServer({ COMPATIBILITY: 'reference' }));

type Answer = (server: TestServer) => Promise<unknown>;

const get = async (server: TestServer, address: string, headers: Record<string, string> = {}) =>
  (await server.request.get(`/api/v1${address}`).set(headers).expect(200)).body;

/** The context parameter of a folder in a folder. */
const enriched =
  (name: string): Answer =>
  async (server) => {
    const { path } = await createDocument(server, { type: 'Folder', name: `of-${name}` });
    const { uid } = await createDocument(server, { type: 'Folder', name: 'inner', parent: path });
    const { contextParameters } = await get(server, `/id/${uid}`, { 'enrichers.document': name });
    return contextParameters[name];
  };

const folder = '/default-domain/workspaces/of-breadcrumb';

const paths = (answer: unknown): string[] =>
  (answer as { entries: Array<{ path: string }> }).entries.map(({ path }) => path);

const coverage =
  (value: string | null): Answer =>
  async (server) => {
    const { uid } = await createDocument(server, { type: 'File', properties: { 'dc:coverage': value } });
    const { properties } = await get(server, `/id/${uid}`, {
      'fetch.document': 'dc:coverage',
      properties: '*',
    });
    return properties['dc:coverage'];
  };

const france = expect.objectContaining({ 'entity-type': 'directoryEntry', id: 'France' });

const schemaNames = (answer: unknown): unknown[] =>
  (answer as Array<{ name: string }>).map(({ name }) => name);

/** The next page after a full one of two children, of which there are two. */
const hasNext =
  (list: (path: string, uid: string) => string): Answer =>
  async (server) => {
    const { path, uid } = await createDocument(server, { type: 'Folder' });
    for (const name of ['one', 'two']) await createDocument(server, { type: 'File', name, parent: path });
    const full = await get(server, `${list(path, uid)}pageSize=2`);
    const part = await get(server, `${list(path, uid)}pageSize=3`);
    return [full.isNextPageAvailable, part.isNextPageAvailable];
  };

/** The statuses, or faults, of a chunk, of the same again, of the last one, and of the first again. */
const chunks: Answer = async (server) => {
  const batch = await beginUpload(server.request);
  const [one = { content: '' }, two = { content: '' }] = cut('abcdef', 2, 'a.txt');
  const answers: Array<number | string> = [];
  for (const chunk of [one, one, two, one]) {
    const { status, body } = await send(server.request, batch, 0, chunk);
    answers.push(body.message ? `${status} ${body.message}` : status);
  }
  return answers;
};

const directories =
  (query: string): Answer =>
  async (server) => {
    const { entries } = await get(server, `/directory${query}`);
    const names = schemaNames(entries);
    return ['continent', 'oauth2Clients'].map((name) => names.includes(name));
  };

interface Row {
  readonly what: string;
  readonly ask: Answer;
  readonly forms: readonly [contract: (answer: unknown) => void, reference: (answer: unknown) => void];
}

const is = (expected: unknown) => (answer: unknown) => expect(answer).toEqual(expected);

const tests: Readonly<Record<keyof typeof compatibility, readonly Row[]>> = {
  favorites: [
    { what: 'favorites', ask: enriched('favorites'), forms: [is(false), is({ isFavorite: false })] },
  ],
  breadcrumb: [
    {
      what: 'breadcrumb',
      ask: async (server) => paths(await enriched('breadcrumb')(server)),
      forms: [
        is(['/', '/default-domain', '/default-domain/workspaces', folder]),
        is(['/default-domain', '/default-domain/workspaces', folder, `${folder}/inner`]),
      ],
    },
  ],
  isSingleFetchedAsList: [
    { what: 'dc:coverage', ask: coverage('europe/France'), forms: [is([france]), is(france)] },
    { what: 'an empty dc:coverage', ask: coverage(null), forms: [is([]), is(null)] },
  ],
  definitions: [
    {
      what: '/config/schemas',
      ask: (server) => get(server, '/config/schemas'),
      forms: [
        (answer) => expect(answer).toMatchObject({ 'entity-type': 'schemas', entries: expect.any(Array) }),
        (answer) => expect(schemaNames(answer)).toContain('dublincore'),
      ],
    },
  ],
  definedSchema: [
    {
      what: 'a schema of /config/schemas',
      ask: async (server) => {
        const answer = await get(server, '/config/schemas');
        const list: Array<{ name: string }> = Array.isArray(answer) ? answer : answer.entries;
        return Object.keys(list.find(({ name }) => name === 'dublincore') ?? {}).sort();
      },
      forms: [is(['@prefix', 'entity-type', 'fields', 'name', 'prefix']), is(['@prefix', 'fields', 'name'])],
    },
  ],
  definedFacet: [
    {
      what: '/config/facets',
      ask: async (server) => {
        const answer = await get(server, '/config/facets');
        const list: Array<{ name: string; schemas: object[] }> = Array.isArray(answer)
          ? answer
          : answer.entries;
        const facet = list.find(({ name }) => name === 'NXTag');
        return [Object.keys(facet ?? {}).sort(), Object.keys(facet?.schemas[0] ?? {}).sort()];
      },
      forms: [
        is([
          ['entity-type', 'name', 'schemas'],
          ['@prefix', 'entity-type', 'fields', 'name', 'prefix'],
        ]),
        is([
          ['name', 'schemas'],
          ['@prefix', 'fields', 'name'],
        ]),
      ],
    },
  ],
  isNextPageAvailable: [
    {
      what: '@children',
      ask: hasNext((path) => `/path${path}/@children?`),
      forms: [is([false, false]), is([true, false])],
    },
    {
      what: 'a page provider of children',
      ask: hasNext((_, uid) => `/search/pp/CURRENT_DOC_CHILDREN/execute?queryParams=${uid}&`),
      forms: [is([false, false]), is([true, false])],
    },
    {
      what: 'another page provider',
      ask: hasNext(
        (path) => `/search/pp/default_search/execute?ecm_path=${encodeURIComponent(JSON.stringify([path]))}&`,
      ),
      forms: [is([false, false]), is([true, false])],
    },
    {
      what: 'a search, which is the same in both',
      ask: hasNext((path) => `/search/execute?query=SELECT * FROM File WHERE ecm:path STARTSWITH '${path}'&`),
      forms: [is([false, false]), is([false, false])],
    },
  ],
  chunk: [
    {
      what: 'a chunk again',
      ask: chunks,
      forms: [
        is([202, 202, 201, 201]),
        is([202, '409 X-Upload-Chunk-Index: chunk 0 has already been received', 201, 201]),
      ],
    },
  ],
  markdownType: [
    {
      what: 'a Markdown file that becomes a note',
      ask: async (server) => {
        const { path } = await createDocument(server, { type: 'Folder' });
        const blobs = [{ content: '# Title', name: 'a.md' }];
        const made = await call(server.request, 'FileManager.Import', {
          context: { currentDocument: path },
          blobs,
        });
        return made.body.properties['note:mime_type'];
      },
      forms: [is('text/markdown'), is('text/x-web-markdown')],
    },
  ],
  directories: [
    { what: '/directory', ask: directories(''), forms: [is([true, true]), is([true, false])] },
    {
      what: '/directory?types=system',
      ask: directories('?types=system'),
      forms: [is([false, true]), is([false, true])],
    },
  ],
};

describe.each(Object.entries(tests))('COMPATIBILITY, row %s', (_, rows) => {
  test.each(rows.map(({ what, ask, forms }) => [what, ask, forms] as const))(
    '%s has the form of the contract, or that of the reference implementation',
    async (__, ask, [inContract, inReference]) => {
      inContract(await ask(contract));
      inReference(await ask(reference));
    },
  );
});

test('every row of the table has its row in docs/coming-from-nuxeo.md', () => {
  const text = readFileSync(new URL('../../docs/coming-from-nuxeo.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## COMPATIBILITY');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map((line) => line.split('`')[1]).sort()).toEqual(Object.keys(compatibility).sort());
});

test('nothing but the table depends on the setting', () => {
  const root = new URL('../../src/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const naming = files.filter((name) => readFileSync(new URL(name, root), 'utf8').includes('COMPATIBILITY'));
  expect(naming.sort()).toEqual([
    'app.ts',
    'cli/services.ts',
    'config.ts',
    'http/notice-web-ui.ts',
    'open-services.ts',
    'rest/facade.ts',
    'selection/compatibility.ts',
  ]);
  const app = readFileSync(new URL('app.ts', root), 'utf8');
  expect(app.match(/.*COMPATIBILITY.*/g)).toEqual([
    "      ...(config.COMPATIBILITY === 'contract' ? [noticeWebUi(log)] : []),",
  ]);
});
