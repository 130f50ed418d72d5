import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../../support/server.ts';
import { at, createEntry } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const translating = (path: string, headers: Record<string, string> = {}) =>
  server.request.get(path).set({ 'translate.directoryEntry': 'label', ...headers });

const labelOf = async (language: Record<string, string>, query = '') =>
  (await translating(`${at('country', 'Germany')}${query}`, language).expect(200)).body.properties.label;

const varies = ({ headers }: { headers: Record<string, string> }) =>
  (headers.vary ?? '').toLowerCase().split(/, */);

describe('§9 translate.directoryEntry: label', () => {
  test('without it a label is its key', async () => {
    const { body } = await server.request
      .get(at('country', 'Germany'))
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
    ['one we do not have', { 'Accept-Language': 'de' }, 'Germany'],
    ['anything', { 'Accept-Language': '*' }, 'Germany'],
    ['rubbish', { 'Accept-Language': ';;=,q' }, 'Germany'],
  ])('%s', async (_, headers, label) => {
    expect(await labelOf(headers)).toBe(label);
  });

  test('?language= is written for this call, and counts before Accept-Language', async () => {
    expect(await labelOf({}, '?language=fr')).toBe('Allemagne');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=en')).toBe('Germany');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=de')).toBe('Allemagne');
    expect(await labelOf({ 'Accept-Language': 'fr' }, '?language=')).toBe('Allemagne');
    expect(await labelOf({}, '?language=fr&language=en')).toBe('Allemagne');
  });

  test('lists are translated alike, at no cost', async () => {
    const bare = await server.request.get(at('continent')).expect(200);
    const french = await translating(at('continent'), { 'Accept-Language': 'fr' }).expect(200);
    const labels = french.body.entries.map(
      ({ properties }: { properties: { label: string } }) => properties.label,
    );
    expect(labels).toEqual(expect.arrayContaining(['Afrique', 'Asie', 'Europe', 'Antarctique']));
    expect(statements(french)).toBe(statements(bare));
  });

  test('so are parents that are fetched', async () => {
    const headers = { 'fetch.directoryEntry': 'parent', 'Accept-Language': 'fr' };
    const { body } = await translating(at('country', 'Algeria'), headers).expect(200);
    expect(body.properties).toMatchObject({ label: 'Algérie', parent: { properties: { label: 'Afrique' } } });
  });

  test('a key without a text is itself, and so is a text', async () => {
    for (const label of ['label.nosuch', 'A text', '', 'constructor', null]) {
      const { id } = await createEntry(server, 'nature', { label });
      expect((await translating(at('nature', id)).expect(200)).body.properties.label).toBe(label);
    }
  });

  test('directories with a label for each language have nothing to translate', async () => {
    const bare = await server.request.get(at('l10nsubjects', 'art')).expect(200);
    expect((await translating(at('l10nsubjects', 'art')).expect(200)).body).toEqual(bare.body);
  });

  test('Vary names Accept-Language where it shaped the answer, and only there', async () => {
    expect(varies(await translating(at('nature')))).toContain('accept-language');
    const bare = await server.request.get(at('nature')).set('Accept-Language', 'fr');
    expect(varies(bare)).not.toContain('accept-language');
    expect(varies(bare)).toEqual(
      expect.arrayContaining(['fetch.directoryentry', 'translate.directoryentry', 'depth']),
    );
  });

  test('it is understood as a parameter and in other spellings', async () => {
    const { body } = await server.request
      .get(`${at('country', 'Germany')}?translate-directoryEntry=label&language=fr`)
      .expect(200);
    expect(body.properties.label).toBe('Allemagne');
  });

  test('every label key of the stock vocabularies has a text in both languages', async () => {
    const without: string[] = [];
    const { body } = await server.request.get('/api/v1/directory').expect(200);
    for (const { name, schema } of body.entries as Array<{ name: string; schema: string }>) {
      if (!schema.endsWith('vocabulary')) continue;
      for (const language of ['en', 'fr']) {
        const page = await translating(at(name), { 'Accept-Language': language });
        for (const { id, properties } of page.body.entries ?? []) {
          if (String(properties.label).startsWith('label.directories.'))
            without.push(`${language} ${name} ${id}`);
        }
      }
    }
    expect(without).toEqual([]);
  });
});
