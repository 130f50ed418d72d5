import { describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

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
  test('answers with entries with their fields and labels', async () => {
    expect(await suggest('nature', { searchTerm: 'Inv', localize: true })).toEqual([
      {
        id: 'invoice',
        label: 'label.directories.nature.invoice',
        obsolete: 0,
        ordering: 10_000_000,
        'entity-type': 'directoryEntry',
        directoryName: 'nature',
        properties: {
          id: 'invoice',
          label: 'label.directories.nature.invoice',
          obsolete: 0,
          ordering: 10_000_000,
        },
        computedId: 'invoice',
        displayLabel: 'Invoice',
        absoluteLabel: 'Invoice',
      },
    ]);
  });

  test('answers with all entries without a term; labels stay keys unless localize is set', async () => {
    const all = await suggest('continent');
    expect(all).toHaveLength(7);
    expect(all[0]?.displayLabel).toMatch(/^label\.directories\.continent\./);
  });

  test('answers with labels in the requested language, sorted in it', async () => {
    const labels = async (params: object) =>
      (await suggest('continent', { localize: true, ...params })).map(({ displayLabel }) => displayLabel);
    expect(await labels({ lang: 'en' })).toContain('North America');
    const french = await labels({ lang: 'fr_FR' });
    expect(french).toContain('Afrique');
    expect(french).toEqual([...french].sort((one, other) => one.localeCompare(other)));
    const { body } = await ask({ directoryName: 'continent', localize: true }).set('Accept-Language', 'fr');
    expect(body.map(({ displayLabel }: Suggestion) => displayLabel)).toEqual(french);
  });

  test('answers with labels of l10n directories in the requested language', async () => {
    const [english] = await suggest('l10nsubjects', { dbl10n: true, lang: 'en', searchTerm: 'cinema' });
    expect(english).toMatchObject({ displayLabel: 'Art', children: [{ displayLabel: 'Cinema' }] });
    const french = await suggest('l10nsubjects', { dbl10n: true, lang: 'fr', searchTerm: 'musi' });
    expect(outline(french)).toBe('Art [Musique]');
  });

  test('answers with a hierarchical directory as a tree whose leaves can be chosen', async () => {
    const [art] = await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en' });
    expect(art).not.toHaveProperty('id');
    expect(art).not.toHaveProperty('computedId');
    expect(art?.children?.[0]).toMatchObject({
      id: 'architecture',
      computedId: 'art/architecture',
      absoluteLabel: 'Art/Architecture',
      directoryName: 'l10nsubjects',
    });
    const separators = { keySeparator: '>', absoluteLabelSeparator: ' - ' };
    const [other] = leaves(await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en', ...separators }));
    expect(other).toMatchObject({ computedId: 'art>architecture', absoluteLabel: 'Art - Architecture' });
  });

  test('answers with a directory with a parent directory as a tree of both', async () => {
    const found = await suggest('country', { searchTerm: 'France', localize: true, lang: 'en' });
    expect(outline(found)).toBe('Europe [France]');
    expect(found).toMatchObject([
      { directoryName: 'continent', children: [{ directoryName: 'country', computedId: 'europe/France' }] },
    ]);
    expect(leaves(await suggest('country')).length).toBe(244);
  });

  test('makes parents selectable with canSelectParent', async () => {
    const [art] = await suggest('l10nsubjects', { searchTerm: 'arch', lang: 'en', canSelectParent: true });
    expect(art).toMatchObject({ id: 'art', computedId: 'art' });
  });

  test('searches parents with filterParent', async () => {
    const search = { searchTerm: 'Art', lang: 'en' };
    expect(outline(await suggest('l10nsubjects', search))).toBe('Art [Art history]');
    const daily = { searchTerm: 'Daily', lang: 'en' };
    expect(await suggest('l10nsubjects', daily)).toEqual([]);
    expect(outline(await suggest('l10nsubjects', { ...daily, filterParent: true }))).toBe('Daily life');
  });

  test('applies contains, caseSensitive and limit', async () => {
    const count = async (params: object) =>
      leaves(await suggest('country', { localize: true, ...params })).length;
    expect(await count({ searchTerm: 'ance', lang: 'en' })).toBe(0);
    expect(await count({ searchTerm: 'ance', lang: 'en', contains: true })).toBe(1);
    expect(await count({ searchTerm: 'france', lang: 'en' })).toBe(1);
    expect(await count({ searchTerm: 'france', lang: 'en', caseSensitive: true })).toBe(0);
    expect(await count({ limit: 5 })).toBe(5);
    expect(await count({ limit: 0 })).toBe(244);
  });

  test('answers with obsolete entries only on request', async () => {
    const find = (params: object) =>
      suggest('language', { searchTerm: 'sp', labelFieldName: 'id', ...params });
    expect(await find({})).toEqual([]);
    expect(await find({ displayObsoleteEntries: true })).toMatchObject([{ id: 'sp', obsolete: 1 }]);
  });

  test('costs one statement per directory, whatever the number of entries', async () => {
    const cost = async (params: Record<string, unknown>) => statements(await ask(params).expect(200));
    expect(await cost({ directoryName: 'nature' })).toBe(1);
    expect(await cost({ directoryName: 'l10ncoverage' })).toBe(1);
    expect(await cost({ directoryName: 'country' })).toBe(2);
  });

  test('needs an administrator for system directories', async () => {
    await ask({ directoryName: 'oauth2Clients' }).expect(403);
    const params = { directoryName: 'oauth2Clients' };
    await call(server.request, 'Directory.SuggestEntries', { params }).expect(200);
    await server.anonymous.post('/api/v1/automation/Directory.SuggestEntries').send({ params }).expect(401);
  });

  test('refuses unknown directories, user directories and invalid parameters', async () => {
    await ask({ directoryName: 'nosuch' }).expect(404);
    await ask({ directoryName: 'userDirectory' }).expect(400);
    await ask({ directoryName: 'nature', limit: 'all' }).expect(400);
    expect((await ask({}).expect(400)).body.message).toBe('directoryName is missing');
  });
});

describe('Directory.SuggestEntries of contributed directories', () => {
  test('joins three levels into one tree and ends circles of parents', async () => {
    const directory = (name: string, parent?: string) => ({
      name,
      schema: 'xvocabulary',
      ...(parent && { parent }),
    });
    await using here = await startServer(
      {},
      {
        directories: [
          directory('top'),
          directory('middle', 'top'),
          directory('low', 'middle'),
          directory('one', 'two'),
          directory('two', 'one'),
          directory('accounts', 'userDirectory'),
        ],
      },
    );
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
  });
});
