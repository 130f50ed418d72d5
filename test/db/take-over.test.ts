/** @group every-database, slow */

import { describe, expect, test } from '@jest/globals';
import { readMigrations } from '../../src/db/migration-files.ts';
import { baselineName } from '../../src/db/take-over.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { query } from '../support/query.ts';
import { schemaOf } from './copy/contents.ts';
import { formerDatabase } from './former-database.ts';
import { ask, serve } from './processes.ts';

const recorded = (url: string) =>
  query(url, 'SELECT migration_name AS name, oldest_build AS build FROM _prisma_migrations ORDER BY 1');

const [, ...laterMigrations] = await readMigrations();

describe('A database of Quire 0.1', () => {
  test('is served with all its content and has the tables of a new database', async () => {
    await using former = await formerDatabase();
    await using server = await serve({ DATA_DIR: newFolder(), DATABASE_URL: former.url });
    const get = async (path: string, user = 'Administrator:Administrator') => {
      const headers = { Authorization: `Basic ${btoa(user)}`, 'enrichers.document': 'tags,runningWorkflows' };
      const answer = await ask(server.url, `/api/v1${path}`, { headers });
      return answer.status === 200 ? answer.json() : answer.status;
    };
    const at = '/path/default-domain/workspaces/team';
    const report = await get(`${at}/report`, 'ann:secret-ann');
    expect(report).toMatchObject({
      properties: {
        'dc:description': 'changed',
        'dc:subjects': ['art/cinema'],
        'file:content': { length: '21' },
      },
      contextParameters: { tags: ['red', 'twowords'] },
    });
    expect(await get(`${at}/report`)).toMatchObject({
      contextParameters: { runningWorkflows: [{ workflowModelName: 'SerialDocumentReview' }] },
    });
    expect(await get(`/id/${report.uid}/@comment`)).toMatchObject({ entries: [{ text: 'Well done' }] });
    expect(
      await get(
        `/search/execute?query=${encodeURIComponent("SELECT * FROM File WHERE ecm:fulltext = 'annual'")}`,
      ),
    ).toMatchObject({
      resultsCount: 3, // with its version and its proxy
    });
    expect(await get('/directory/nature/own')).toMatchObject({ properties: { label: 'Own' } });
    await using stocked = await stockedDatabase();
    const schema = async ({ database }: TestDatabase) =>
      (await schemaOf(database)).filter((line) => !/_seq \d+$/.test(line));
    expect(await schema(former)).toEqual(await schema(stocked));
    expect((await recorded(former.url)).map(({ name }) => name)).toEqual([
      baselineName,
      ...laterMigrations.map(({ name }) => name),
    ]);
  });

  test('is taken over with the later migrations that it has', async () => {
    const [first] = laterMigrations;
    await using former = await formerDatabase(`
      ${first?.sql};
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      SELECT gen_random_uuid(), encode(sha256(convert_to($sql$${first?.sql}$sql$, 'UTF8')), 'hex'), '${first?.name}', now()`);
    expect(await former.database.migrate()).toEqual(laterMigrations.slice(1).map(({ name }) => name));
    expect(await recorded(former.url)).toContainEqual({ name: baselineName, build: '0.2.0' });
    expect(await former.database.migrate()).toEqual([]);
  });

  test.each([
    [
      'lacks a migration',
      "DELETE FROM _prisma_migrations WHERE migration_name = '20261127033000_mails_of_documents'",
      'created by an early build of Quire 0.1: 1 of its 68 migrations are missing, starting with 20261127033000_mails_of_documents',
    ],
    [
      'has an unknown migration',
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '20261127150000_own', now())",
      'others that this build does not have: 20261127150000_own. Start the build that created them.',
    ],
    [
      'lacks an index, a column and a function',
      `DROP INDEX document_locked_idx; ALTER TABLE mail DROP COLUMN ace; DROP FUNCTION search_keys`,
      'the column mail.ace is missing; the function search_keys(name text, kind text, "values" text[]) is missing; the index document_locked_idx is missing; the index mail_ace_idx is missing',
    ],
    [
      'has another type of a column',
      'ALTER TABLE bulk_command ALTER COLUMN parameters TYPE TEXT',
      'the column bulk_command.parameters differs',
    ],
  ])('is refused and left unchanged when it %s', async (_, sql, message) => {
    await using former = await formerDatabase(sql);
    const before = await recorded(former.url).catch(() => []);
    await expect(former.database.migrate()).rejects.toThrow(message);
    expect(await query(former.url, "SELECT to_regnamespace('quire_baseline') AS scratch")).toEqual([
      { scratch: null },
    ]);
    expect(await recorded(former.url).catch(() => [])).toEqual(before);
  });
});
