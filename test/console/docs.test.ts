import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { documentFiles, shownDocument } from '../../web/build/documents.ts';
import { useServer } from '../support/server.ts';

const root = new URL('../../', import.meta.url);
const shown = documentFiles().map(shownDocument);

describe('the pages of the documentation', () => {
  const server = useServer();
  const page = 'text/html,application/xhtml+xml,*/*;q=0.8';

  test.each(['/docs', '/docs/search', '/docs/reference/getMe'])('are at %s for a browser', async (path) => {
    const { text, headers } = await server.anonymous.get(path).set('Accept', page).expect(200);
    expect(text).toContain('<title>Documentation');
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
    const { body } = await server.anonymous.get(path).set('Accept', 'application/json').expect(404);
    expect(body['entity-type']).toBe('exception');
  });

  test.each(['/docs/no-such-page', '/docs/search.md', '/docs/search/more', '/docs/reference/getMe/more'])(
    'are 404 at %s, with the page for a browser',
    async (path) => {
      const { text } = await server.anonymous.get(path).set('Accept', page).expect(404);
      expect(text).toContain('<title>Documentation');
      const { body } = await server.anonymous.get(path).expect(404);
      expect(body.message).toBe(`There is no resource at ${path}.`);
    },
  );
});

describe('the documents', () => {
  test('are each there once, README first, in the order of its list', () => {
    const names = shown.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['readme', 'recipes', 'coming-from-nuxeo']);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('reference'); // the address of the REST interface
  });

  test('have links that lead somewhere, and pictures that there are', () => {
    const ids = new Map(shown.map(({ name, html }) => [name, html]));
    const broken = shown.flatMap(({ name, html, pictures }) => [
      ...[...html.matchAll(/href="docs\/(\w[\w-]*)(?:#([^"]*))?"/g)]
        .filter(([, to = '']) => to !== 'reference')
        .filter(([, to = '', anchor]) => !ids.get(to)?.includes(anchor ? `id="${anchor}"` : '<h1'))
        .map(([link]) => `${name}: ${link}`),
      ...pictures.filter((file) => !existsSync(new URL(file, root))),
    ]);
    expect(broken).toEqual([]);
    expect(shown.flatMap(({ html }) => html.match(/href="(?!docs\/|https?:)[^"]*"/g) ?? [])).toEqual([]);
  });

  test('are found by every section', () => {
    for (const { sections } of shown) {
      expect(sections.length).toBeGreaterThan(0);
      expect(new Set(sections.map(({ address }) => address)).size).toBe(sections.length);
    }
    const { text } =
      shown.flatMap(({ sections }) => sections).find(({ title }) => title === 'Header spellings (§9)') ?? {};
    expect(text).toContain('Names are case-insensitive. Each header can also be sent as a query parameter,');
  });
});
