/** @group slow */
import { expect, jest, test } from '@jest/globals';
import { ask, kill, processSettings, type RunningServer, serve } from '../../db/processes.ts';
import { query } from '../../support/query.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(120_000);

const retryInterval = 5_000;

test('the index is rebuilt for another language once no server with the former one can write to it', async () => {
  await using shared = await processSettings({ isStocked: true });
  const { settings } = shared;
  const start = (more = {}): Promise<RunningServer> => serve({ ...settings, PORT: '0', ...more });
  const create = async ({ url }: RunningServer, title: string): Promise<void> => {
    const properties = { 'dc:title': title };
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: title, properties });
    expect((await ask(url, '/api/v1/path/', { method: 'POST', body })).status).toBe(201);
  };
  const analysis = async () =>
    (await query(settings.DATABASE_URL ?? '', 'SELECT analysis FROM search_state'))[0]?.analysis;

  await using former = await start();
  await create(former, 'several indexes');
  const before = await analysis();
  await using next = await start({ SEARCH_LANGUAGE: 'english' });
  const found = async (): Promise<number> => {
    const text = encodeURIComponent("SELECT * FROM Folder WHERE ecm:fulltext = 'index'");
    const { resultsCount } = await (await ask(next.url, `/api/v1/search/execute?query=${text}`)).json();
    return resultsCount;
  };
  const startedAt = performance.now();
  await until(() => performance.now() > startedAt + 1.2 * retryInterval);
  expect(await analysis()).toBe(before);
  await create(former, 'other indexes');
  await kill(former);
  await until(async () => (await analysis()) === `${before} english`);
  expect(await found()).toBe(2);
});
