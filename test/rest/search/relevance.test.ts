import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { useServer } from '../../support/server.ts';
import { settledFiles } from '../../support/settled.ts';
import { useUser } from '../../support/users.ts';

// §4.7 The order of relevance.

const server = useServer({ SEARCH_COUNT_LIMIT: '10' });
const ann = useUser(server, 'ann');
let folder: DocumentEntity;

const create = (name: string, properties: Record<string, unknown>, type = 'File') =>
  createDocument(server, { parent: folder.path, name, type, properties });

const namesOf = ({ body }: { body: { entries: DocumentEntity[] } }): string[] =>
  body.entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));

const provide = (parameters: Record<string, unknown>, name = 'default_search', requests = ann) =>
  requests.get(`/api/v1/search/lang/pp/${name}`).query(parameters).expect(200);

const ranked = (words: string, more: Record<string, unknown> = {}) =>
  provide({ ecm_fulltext: words, ...more }).then(namesOf);

beforeAll(async () => {
  await runJobs(server);
  folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [{ username: 'ann', permission: 'Read' }]);
});

describe('the order of relevance', () => {
  test('weighs the title, then tags and names of files, then properties, then the text of files', async () => {
    const content = (name: string, text: string) => ({
      'file:content': { name, 'mime-type': 'text/plain', content: text },
    });
    await create('in-title', { 'dc:title': 'The okapi and ten more words that make it a long title' });
    await create('in-name', { 'dc:title': 'b', ...content('okapi.txt', 'x') });
    await create('in-property', { 'dc:title': 'c', 'dc:description': 'okapi okapi okapi' });
    await create('in-file', { 'dc:title': 'd', ...content('x.txt', 'okapi '.repeat(200)) });
    await settledFiles(server);
    expect(await ranked('okapi')).toEqual(['in-title', 'in-name', 'in-property', 'in-file']);
  });

  test('prefers words that are closer to each other, and then more frequent ones', async () => {
    await create('far', { 'dc:title': 'quokka that is not at all a wombat' });
    await create('close', { 'dc:title': 'quokka wombat' });
    await create('twice', { 'dc:title': 'quokka wombat quokka wombat' });
    await create('split', { 'dc:title': 'wombat', 'dc:description': 'quokka' });
    expect(await ranked('quokka wombat')).toEqual(['twice', 'close', 'far', 'split']);
    expect(await ranked('"quokka wombat"')).toEqual(['twice', 'close']);
  });

  test('sorts documents of the same relevance by the time of their last change', async () => {
    for (const name of ['first', 'second', 'third']) await create(name, { 'dc:title': 'numbat' });
    expect(await ranked('numbat')).toEqual(['third', 'second', 'first']);
    expect(await ranked('numbat', { sortBy: 'ecm:name', sortOrder: 'asc' })).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  test('is replaced by the order of a quick filter, of a page provider and of a query', async () => {
    await create('title', { 'dc:title': 'kakapo' });
    await create('property', { 'dc:title': 'x', 'dc:description': 'kakapo' });
    expect(await ranked('kakapo')).toEqual(['title', 'property']);
    expect(await ranked('kakapo', { quickFilters: 'mostRecent' })).toEqual(['property', 'title']);
    expect(namesOf(await provide({ queryParams: 'kakap' }, 'document_picker'))).not.toContain('x');
    const below = ann.get(`/api/v1/path${folder.path}/@search`);
    expect(namesOf(await below.query({ fullText: 'kakapo' }).expect(200))).toEqual(['title', 'property']);
  });

  test('puts titles first, and then the newest, if there are more hits than are counted', async () => {
    const names = Array.from({ length: 13 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    for (const [index, name] of names.entries())
      await create(
        name,
        index % 4 === 0 ? { 'dc:title': 'dingo' } : { 'dc:title': name, 'dc:description': 'dingo' },
      );
    const newest = [...names].reverse();
    const isTitle = (name: string) => Number(name.slice(1)) % 4 === 0;
    const expected = [...newest.filter(isTitle), ...newest.filter((name) => !isTitle(name))];
    const { body } = await provide({ ecm_fulltext: 'dingo', pageSize: 5 });
    expect(body).toMatchObject({ resultsCount: -2, isRankedByTitle: true });
    for (const requests of [ann, server.request]) {
      const read = (page: object) =>
        provide({ ecm_fulltext: 'dingo', pageSize: 5, ...page }, 'default_search', requests);
      const pages = [0, 1, 2].map((currentPageIndex) => read({ currentPageIndex }).then(namesOf));
      expect((await Promise.all(pages)).flat()).toEqual(expected);
      const byCursor: string[] = [];
      for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
        const page: { body: { nextCursor?: string; entries: DocumentEntity[] } } = await read({ cursor });
        byCursor.push(...namesOf(page));
        cursor = page.body.nextCursor;
      }
      expect(byCursor).toEqual(expected);
    }
    const few = await provide({ ecm_fulltext: 'dingo', maxResults: 3 });
    expect([few.body.resultsCount, namesOf(few)]).toEqual([3, expected.slice(0, 3)]);
  });

  test('reads pages by cursor in the order of relevance', async () => {
    for (let index = 0; index < 7; index += 1)
      await create(`cursor-${index}`, index % 2 ? { 'dc:title': 'bilby' } : { 'dc:description': 'bilby' });
    const whole = await ranked('bilby');
    expect(whole.slice(0, 3)).toEqual(['cursor-5', 'cursor-3', 'cursor-1']);
    const byCursor: string[] = [];
    for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
      const page: { body: { nextCursor?: string; entries: DocumentEntity[] } } = await provide({
        ecm_fulltext: 'bilby',
        pageSize: 2,
        cursor,
      });
      expect(page.body).not.toHaveProperty('isRankedByTitle');
      byCursor.push(...namesOf(page));
      cursor = page.body.nextCursor;
    }
    expect(byCursor).toEqual(whole);
  });
});
