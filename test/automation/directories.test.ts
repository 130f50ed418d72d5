import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWithModel } from '../rest/documents/requests.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
  bob = as(server, 'bob');
});
afterAll(() => server.stop());

interface Suggestion {
  readonly id?: string;
  readonly computedId?: string;
  readonly displayLabel: string;
  readonly absoluteLabel: string;
  readonly children?: Suggestion[];
}

const ask = (params: Record<string, unknown>) => call(bob, 'Directory.SuggestEntries', { params });
const suggest = async (directoryName: string, params: Record<string, unknown> = {}): Promise<Suggestion[]> =>
  (await ask({ directoryName, ...params }).expect(200)).body;

/** The labels of a tree, those of children in brackets. */
const outline = (tree: Suggestion[]): string =>
  tree
    .map(({ displayLabel, children }) => displayLabel + (children ? ` [${outline(children)}]` : ''))
    .join(', ');

const leaves = (tree: Suggestion[]): Suggestion[] =>
  tree.flatMap((node) => (node.children ? leaves(node.children) : [node]));

describe('Directory.SuggestEntries', () => {
  test('answers entries with their fields and labels', async () => {
    expect(await suggest('nature', { searchTerm: 'Inv', localize: true })).toEqual([
      {
        ...{ id: 'invoice', label: 'label.directories.nature.invoice', obsolete: 0 },
        ...{ ordering: 10_000_000, 'entity-type': 'directoryEntry', directoryName: 'nature' },
        properties: {
          ...{ id: 'invoice', label: 'label.directories.nature.invoice' },
          ...{ obsolete: 0, ordering: 10_000_000 },
        },
        ...{ computedId: 'invoice', displayLabel: 'Invoice', absoluteLabel: 'Invoice' },
      },
    ]);
  });

  test('answers all without a term; labels are keys where they are not localized', async () => {
    const all = await suggest('continent');
    expect(all).toHaveLength(7);
    expect(all[0]?.displayLabel).toMatch(/^label\.directories\.continent\./);
  });

  test('labels are in the language asked for, and sorted in it', async () => {
    const labels = async (params: object) =>
      (await suggest('continent', { localize: true, ...params })).map(({ displayLabel }) => displayLabel);
    expect(await labels({ lang: 'en' })).toContain('North America');
    const french = await labels({ lang: 'fr_FR' });
    expect(french).toContain('Afrique');
    expect(french).toEqual([...french].sort((one, other) => one.localeCompare(other)));
    const { body } = await ask({ directoryName: 'continent', localize: true }).set('Accept-Language', 'fr');
    expect(body.map(({ displayLabel }: Suggestion) => displayLabel)).toEqual(french);
  });

  test('labels of l10n directories are those of the language', async () => {
    const [english] = await suggest('l10nsubjects', { dbl10n: true, lang: 'en', searchTerm: 'cinema' });
    expect(english).toMatchObject({ displayLabel: 'Art', children: [{ displayLabel: 'Cinema' }] });
    const french = await suggest('l10nsubjects', { dbl10n: true, lang: 'fr', searchTerm: 'musi' });
    expect(outline(french)).toBe('Art [Musique]');
  });

  test('a hierarchical directory is a tree, whose leaves can be chosen', async () => {
    const [art] = await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en' });
    expect(art).not.toHaveProperty('id');
    expect(art).not.toHaveProperty('computedId');
    expect(art?.children?.[0]).toMatchObject({
      ...{ id: 'architecture', computedId: 'art/architecture', absoluteLabel: 'Art/Architecture' },
      directoryName: 'l10nsubjects',
    });
    const separators = { keySeparator: '>', absoluteLabelSeparator: ' - ' };
    const [other] = leaves(await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en', ...separators }));
    expect(other).toMatchObject({ computedId: 'art>architecture', absoluteLabel: 'Art - Architecture' });
  });

  test('a directory below another one is a tree of both', async () => {
    const found = await suggest('country', { searchTerm: 'France', localize: true, lang: 'en' });
    expect(outline(found)).toBe('Europe [France]');
    expect(found).toMatchObject([
      { directoryName: 'continent', children: [{ directoryName: 'country', computedId: 'europe/France' }] },
    ]);
    expect(leaves(await suggest('country')).length).toBe(244);
  });

  test('canSelectParent: what has others in it can be chosen too', async () => {
    const [art] = await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en', canSelectParent: true });
    expect(art).toMatchObject({ id: 'art', computedId: 'art' });
  });

  test('filterParent: what has others in it is searched too', async () => {
    const search = { searchTerm: 'Art', lang: 'en' };
    expect(outline(await suggest('l10nsubjects', search))).toBe('Art [Art history]');
    const daily = { searchTerm: 'Daily', lang: 'en' };
    expect(await suggest('l10nsubjects', daily)).toEqual([]);
    expect(outline(await suggest('l10nsubjects', { ...daily, filterParent: true }))).toBe('Daily life');
  });

  test('contains, caseSensitive and limit', async () => {
    const count = async (params: object) =>
      leaves(await suggest('country', { localize: true, ...params })).length;
    expect(await count({ searchTerm: 'ance', lang: 'en' })).toBe(0);
    expect(await count({ searchTerm: 'ance', lang: 'en', contains: true })).toBe(1);
    expect(await count({ searchTerm: 'france', lang: 'en' })).toBe(1);
    expect(await count({ searchTerm: 'france', lang: 'en', caseSensitive: true })).toBe(0);
    expect(await count({ limit: 5 })).toBe(5);
    expect(await count({ limit: 0 })).toBe(244);
  });

  test('obsolete entries are there only when they are asked for', async () => {
    const find = (params: object) =>
      suggest('language', { searchTerm: 'sp', labelFieldName: 'id', ...params });
    expect(await find({})).toEqual([]);
    expect(await find({ displayObsoleteEntries: true })).toMatchObject([{ id: 'sp', obsolete: 1 }]);
  });

  test('answers at a cost that does not depend on the number of entries', async () => {
    const cost = async (params: Record<string, unknown>) => statements(await ask(params).expect(200));
    expect(await cost({ directoryName: 'nature' })).toBe(1);
    expect(await cost({ directoryName: 'l10ncoverage' })).toBe(1);
    expect(await cost({ directoryName: 'country' })).toBe(2);
  });

  test('needs an administrator for the directories of the system', async () => {
    await ask({ directoryName: 'oauth2Clients' }).expect(403);
    const params = { directoryName: 'oauth2Clients' };
    await call(server.request, 'Directory.SuggestEntries', { params }).expect(200);
    await server.anonymous.post('/api/v1/automation/Directory.SuggestEntries').send({ params }).expect(401);
  });

  test('refuses a directory that there is not, and those of users and groups', async () => {
    await ask({ directoryName: 'nosuch' }).expect(404);
    await ask({ directoryName: 'userDirectory' }).expect(400);
    await ask({ directoryName: 'nature', limit: 'all' }).expect(400);
    expect((await ask({}).expect(400)).body.message).toBe('directoryName: is missing');
  });
});

describe('Directory.SuggestEntries of contributed directories', () => {
  test('three levels are one tree; two that are above each other are none', async () => {
    const directory = (name: string, parent?: string) => ({
      name,
      schema: 'xvocabulary',
      ...(parent && { parent }),
    });
    const here = await startWithModel({
      directories: [directory('top'), directory('middle', 'top'), directory('low', 'middle')].concat([
        directory('one', 'two'),
        directory('two', 'one'),
        directory('accounts', 'userDirectory'),
      ]),
    });
    const add = (name: string, properties: Record<string, string>) =>
      here.request
        .post(`/api/v1/directory/${name}`)
        .send({ 'entity-type': 'directoryEntry', directoryName: name, properties })
        .expect(201);
    await add('top', { id: 't', label: 'T' });
    await add('middle', { id: 'm', label: 'M', parent: 't' });
    await add('low', { id: 'l', label: 'L', parent: 'm' });
    await add('one', { id: 'a', label: 'A' });
    await add('two', { id: 'b', label: 'B', parent: 'a' });
    const ask = async (directoryName: string): Promise<Suggestion[]> =>
      (await call(here.request, 'Directory.SuggestEntries', { params: { directoryName } }).expect(200)).body;
    expect(leaves(await ask('low'))).toMatchObject([{ computedId: 't/m/l' }]);
    expect(leaves(await ask('middle'))).toMatchObject([{ computedId: 't/m' }]);
    expect(leaves(await ask('two'))).toMatchObject([{ computedId: 'a/b' }]);
    expect(await ask('accounts')).toEqual([]);
    await here.stop();
  });
});
