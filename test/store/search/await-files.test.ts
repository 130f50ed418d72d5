/** @group every-database */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/db/database.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { awaitFiles, untilMaxWait } from '../../../src/store/search/await-files.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { useServer } from '../../support/server.ts';
import { plansOf, visitedRows } from '../../support/visited-rows.ts';

const server = useServer();

const run = (text: string) => server.database.query({ name: '', text }, []);

beforeEach(() => run('DELETE FROM job'));

/** Jobs of the files of others. */
const lay = (count: number, state: string, runAt: string) =>
  run(`INSERT INTO job (kind, once, payload, state, run_at)
    SELECT 'index-file', 'index-file ' || n, jsonb_build_object('digest', n::text), '${state}', ${runAt}
    FROM generate_series(1, ${count}) n`);

const put = (uid: string, properties: Record<string, unknown>) =>
  server.request
    .put(atId(uid))
    .set('svc_es_sync', 'true')
    .send({ 'entity-type': 'document', properties })
    .expect(200);

const found = async (word: string): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:fulltext = '${word}' AND ecm:isVersion = 0`;
  const { body } = await server.request.get('/api/v1/search/lang/NXQL/execute').query({ query }).expect(200);
  return body.entries.map(({ uid }: { readonly uid: string }) => uid);
};

const file = (content: string) => ({ 'file:content': { content, 'mime-type': 'text/plain' } });

describe('§9 a write with svc_es_sync', () => {
  test('waits for its own files while other files take longer than it waits', async () => {
    const { uid } = await createDocument(server, { type: 'File' });
    await lay(3, 'running', "now() + interval '29 s'");
    await runJobs(server);
    const began = performance.now();
    await put(uid, file('albatross'));
    expect(performance.now() - began).toBeLessThan(9_000); // for those of others it would be ten seconds
    expect(await found('albatross')).toEqual([uid]);
    expect(await server.database.prisma.job.count({ where: { kind: 'index-file' } })).toBe(3);
  });

  test('waits for its own files when they are behind those of others', async () => {
    const { uid } = await createDocument(server, { type: 'File' });
    await lay(100, 'waiting', "now() - interval '1 s'");
    await put(uid, file('cormorant'));
    expect(await found('cormorant')).toEqual([uid]);
  });
});

describe('of many jobs', () => {
  const count = 20_000;

  /** The statements that await files while no process reads them. */
  async function asked(jobs?: readonly string[]): Promise<Array<[Statement, readonly unknown[]]>> {
    const statements: Array<[Statement, readonly unknown[]]> = [];
    const query: Client['query'] = (...sent) => {
      statements.push(sent);
      return server.database.query(...sent);
    };
    await awaitFiles({ query }, { query }, { ...(jobs && { jobs }), isOver: untilMaxWait() });
    return statements;
  }

  test.each([
    ['those of a write are looked at alone', ['index-file 7', 'fill-documents 7'], 10],
    ['the oldest are looked at for a caller who waits for all', undefined, 410],
  ])('%s', async (_, jobs, most) => {
    await lay(count, 'waiting', "now() + interval '1 h'");
    await run('ANALYZE job');
    const statements = await asked(jobs);
    expect(statements.length).toBeGreaterThan(1);
    for (const sent of statements.slice(0, 2))
      for (const plan of await plansOf(server.database, ...sent))
        expect(visitedRows(plan, 'job')).toBeLessThanOrEqual(most);
  });
});
