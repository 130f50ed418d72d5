import { describe, expect, test } from '@jest/globals';
import { deleteUnusedTitleWords } from '../../../src/store/search/title-words.ts';
import { createStockContent } from '../../../src/store/stock/stock-content.ts';
import { startBeside } from '../../support/beside.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { indexChanges } from '../../support/index-changes.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer();

const create = (title: string) => createDocument(server, { properties: { 'dc:title': title } });

const suggested = async (searchTerm: string): Promise<string[]> => {
  const { body } = await call(server.request, 'Search.SuggestersLauncher', { params: { searchTerm } }).expect(
    200,
  );
  return body.map(({ label }: { label: string }) => label);
};

const wordsOf = async (...words: string[]): Promise<string[]> => {
  const found = await server.database.prisma.titleWord.findMany({ where: { word: { in: words } } });
  return found.map(({ word }) => word).sort();
};

const sweep = (days: number) => deleteUnusedTitleWords(server.database, () => false, days);

describe('the words of titles', () => {
  test('are deleted after some days if no title contains them', async () => {
    const { uid } = await create('Wolverine');
    await create('Wolverines and walruses');
    expect(await suggested('wolvrine')).toHaveLength(2);
    await server.request.delete(atId(uid)).expect(204);
    await indexChanges(server.database);
    const both = ['walruses', 'wolverine', 'wolverines'];
    expect(await sweep(30)).toBe(0);
    expect(await wordsOf(...both)).toEqual(both);
    expect(await sweep(-1)).toBeGreaterThan(0);
    expect(await wordsOf(...both)).toEqual(['walruses', 'wolverines']);
    await create('A wolverine');
    expect(await suggested('wolvrine')).toEqual(['A wolverine', 'Wolverines and walruses']);
  });

  test('are added at the next start if an older version has built the index', async () => {
    await create('Capybara');
    expect(await suggested('capibara')).toEqual(['Capybara']);
    await server.database.prisma.titleWord.deleteMany();
    await server.database.query({ name: '', text: `UPDATE search_state SET analysis = '2'` }, []);
    expect(await suggested('capibara')).toEqual([]);
    const next = await startBeside(server);
    try {
      await until(async () => (await suggested('capibara')).length > 0);
      expect(await suggested('capibara')).toEqual(['Capybara']);
    } finally {
      await next.close();
    }
  });
});

describe('the names of users', () => {
  test('of older builds are made searchable at the start', async () => {
    const { prisma, query } = server.database;
    const names = { firstName: 'Bartholomew', lastName: 'Ó Súilleabháin' };
    await prisma.user.create({ data: { id: 'old', properties: names } });
    await query({ name: '', text: `UPDATE "user" SET typo_keys = NULL WHERE id = 'old'` }, []);
    expect(await suggested('suileabhain')).toEqual([]);
    const { services } = server;
    const administrator = { username: 'Administrator', password: 'unused' };
    await createStockContent(server.database, services.model, {
      administrator,
      isAdded: false,
      hash: async () => '',
      repositories: ['default'],
    });
    expect(await suggested('suileabhain barth')).toEqual(['Bartholomew Ó Súilleabháin']);
  });
});
