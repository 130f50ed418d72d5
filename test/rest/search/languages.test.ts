import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/config.ts';
import { openServices } from '../../../src/open-services.ts';
import { createDocument, namesIn } from '../../support/documents.ts';
import { type TestServer, useServer } from '../../support/server.ts';

const english = useServer({ SEARCH_LANGUAGE: 'english' });
const plain = useServer();

async function found(
  { request }: Pick<TestServer, 'request'>,
  words: string,
  property = 'ecm:fulltext',
): Promise<string[]> {
  const query = `SELECT * FROM File WHERE ${property} = '${words}' ORDER BY ecm:name`;
  return namesIn(await request.get('/api/v1/search/execute').query({ query }).expect(200));
}

const create = async (server: TestServer, titles: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, title] of Object.entries(titles))
    await createDocument(server, { name, properties: { 'dc:title': title } });
};

const titles = {
  a: 'The annual reports of the company',
  b: 'Reporting is fun',
  c: 'A report',
  d: 'Café crème',
};

describe('SEARCH_LANGUAGE=english', () => {
  test('finds words by their stems, with phrases, beginnings and exclusions', async () => {
    await create(english, titles);
    expect(await found(english, 'report')).toEqual(['a', 'b', 'c']);
    expect(await found(english, 'companies')).toEqual(['a']);
    expect(await found(english, '"annual reporting"')).toEqual(['a']);
    expect(await found(english, 'reporting*')).toEqual(['a', 'b', 'c']);
    expect(await found(english, 'reports -company')).toEqual(['b', 'c']);
    expect(await found(english, 'reporting', 'ecm:fulltext.dc:title')).toEqual(['a', 'b', 'c']);
    expect(await found(english, 'CAFE')).toEqual(['d']);
  });

  test('drops stop words from queries, and finds nothing by them alone', async () => {
    await create(english, { e: 'the state of the art' });
    expect(await found(english, 'the art of')).toEqual(['e']);
    expect(await found(english, 'the')).toEqual([]);
  });

  test('patterns find the words as they are, stop words too', async () => {
    await create(english, { f: 'Of the reports 1', g: 'of the report 1' });
    const matching = async (pattern: string) => {
      const query = `SELECT * FROM File WHERE dc:title LIKE '${pattern}' AND dc:title LIKE '%1' ORDER BY ecm:name`;
      return namesIn(await english.request.get('/api/v1/search/execute').query({ query }).expect(200));
    };
    expect(await matching('% the %')).toEqual(['f', 'g']);
    expect(await matching('% report %')).toEqual(['g']);
    expect(await matching('% reports 1')).toEqual(['f']);
    expect(await matching('of %')).toEqual(['g']);
  });
});

describe('without SEARCH_LANGUAGE', () => {
  test('words are found as they are', async () => {
    await create(plain, titles);
    expect(await found(plain, 'report')).toEqual(['c']);
    expect(await found(plain, 'the')).toEqual(['a']);
    expect(await found(plain, 'report*')).toEqual(['a', 'b', 'c']);
  });

  test('a language without a stemmer ends the start, with the names of the others', async () => {
    const config = readConfig({ DATA_DIR: plain.dataDir, SEARCH_LANGUAGE: 'klingon' });
    const log = { info: () => {}, warn: () => {} } as never;
    await expect(openServices(config, plain.database, { log, isReady: () => true })).rejects.toThrow(
      /SEARCH_LANGUAGE: "klingon" is not one of .*english.*french/,
    );
  });
});
