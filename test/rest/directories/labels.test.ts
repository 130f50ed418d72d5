import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory, createEntry } from './directory-requests.ts';

const server = useServer();

const translating = (path: string, headers: Record<string, string> = {}) =>
  server.request.get(path).set({ 'translate.directoryEntry': 'label', ...headers });

const labelOf = async (language: Record<string, string>, query = '') =>
  (await translating(`${atDirectory('country', 'Germany')}${query}`, language).expect(200)).body.properties
    .label;

const varies = ({ headers }: { headers: Record<string, string> }) =>
  (headers.vary ?? '').toLowerCase().split(/, */);

describe('§9 translate.directoryEntry: label', () => {
  test('a label is its key without the header', async () => {
    const { body } = await server.request
      .get(atDirectory('country', 'Germany'))
      .set('Accept-Language', 'fr')
      .expect(200);
    expect(body.properties.label).toBe('label.directories.country.Germany');
  });

  test.each([
    ['no language', {}, 'Germany'],
    ['en', { 'Accept-Language': 'en' }, 'Germany'],
    ['fr', { 'Accept-Language': 'fr' }, 'Allemagne'],
    ['a region', { 'Accept-Language': 'fr-CA' }, 'Allemagne'],
    ['a locale of Java', { 'Accept-Language': 'fr_FR' }, 'Allemagne'],
    ['upper case', { 'Accept-Language': 'FR' }, 'Allemagne'],
    ['preferences', { 'Accept-Language': 'en;q=0.3, de, fr;q=0.8' }, 'Allemagne'],
    ['a language refused', { 'Accept-Language': 'fr;q=0, en;q=0.1' }, 'Germany'],
    ['an unsupported language', { 'Accept-Language': 'de' }, 'Germany'],
    ['anything', { 'Accept-Language': '*' }, 'Germany'],
    ['rubbish', { 'Accept-Language': ';;=,q' }, 'Germany'],
  ])('a label is translated for %s', async (_, headers, label) => {
    expect(await labelOf(headers)).toBe(label);
  });

  test('?language= overrides Accept-Language for one request', async () => {
    expect(await labelOf({}, '?language=fr')).toBe('Allemagne');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=en')).toBe('Germany');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=de')).toBe('Allemagne');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=')).toBe('Allemagne');
    expect(await labelOf({}, '?language=fr&language=en')).toBe('Allemagne');
  });

  test('labels in lists are translated without additional SQL statements', async () => {
    const bare = await server.request.get(atDirectory('continent')).expect(200);
    const french = await translating(atDirectory('continent'), { 'Accept-Language': 'fr' }).expect(200);
    const labels = french.body.entries.map(
      ({ properties }: { properties: { label: string } }) => properties.label,
    );
    expect(labels).toEqual(expect.arrayContaining(['Afrique', 'Asie', 'Europe', 'Antarctique']));
    expect(statements(french)).toBe(statements(bare));
  });

  test('labels of fetched parents are translated', async () => {
    const headers = { 'fetch.directoryEntry': 'parent', 'Accept-Language': 'fr' };
    const { body } = await translating(atDirectory('country', 'Algeria'), headers).expect(200);
    expect(body.properties).toMatchObject({ label: 'Algérie', parent: { properties: { label: 'Afrique' } } });
  });

  test('a label without a translation stays unchanged', async () => {
    for (const label of ['label.nosuch', 'A text', '', 'constructor', null]) {
      const { id } = await createEntry(server, 'nature', { label });
      expect((await translating(atDirectory('nature', id)).expect(200)).body.properties.label).toBe(label);
    }
  });

  test('directories with a label for each language are not changed', async () => {
    const bare = await server.request.get(atDirectory('l10nsubjects', 'art')).expect(200);
    expect((await translating(atDirectory('l10nsubjects', 'art')).expect(200)).body).toEqual(bare.body);
  });

  test('Vary contains Accept-Language only when labels are translated', async () => {
    expect(varies(await translating(atDirectory('nature')))).toContain('accept-language');
    const bare = await server.request.get(atDirectory('nature')).set('Accept-Language', 'fr');
    expect(varies(bare)).not.toContain('accept-language');
    expect(varies(bare)).toEqual(
      expect.arrayContaining(['fetch.directoryentry', 'translate.directoryentry', 'depth']),
    );
  });

  test('a query parameter in another spelling is accepted', async () => {
    const { body } = await server.request
      .get(`${atDirectory('country', 'Germany')}?translate-directoryEntry=label&language=fr`)
      .expect(200);
    expect(body.properties.label).toBe('Allemagne');
  });

  test('every label key of the stock vocabularies has an English and a French text', async () => {
    const without: string[] = [];
    const translated = new Set<string>();
    const { body } = await server.request.get('/api/v1/directory').expect(200);
    for (const { name, schema } of body.entries as Array<{ name: string; schema: string }>) {
      if (!schema.endsWith('vocabulary')) continue;
      for (const language of ['en', 'fr']) {
        const page = await translating(atDirectory(name), { 'Accept-Language': language }).expect(200);
        if (page.body.entries.length > 0) translated.add(name);
        for (const { id, properties } of page.body.entries) {
          if (String(properties.label).startsWith('label.directories.'))
            without.push(`${language} ${name} ${id}`);
        }
      }
    }
    expect(without).toEqual([]);
    expect([...translated]).toEqual(expect.arrayContaining(['nature', 'country', 'continent', 'language']));
  });
});
