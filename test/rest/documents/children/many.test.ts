import { beforeAll, expect, test } from '@jest/globals';
import { layDocuments } from '../../../support/laid-documents.ts';
import { useServer } from '../../../support/server.ts';
import { until } from '../../../support/until.ts';
import { useUser } from '../../../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const count = 6_000;
const at = '/api/v1/path/default-domain/workspaces/@children?pageSize=1';

const send = <Row>(text: string) => server.database.query<Row>({ name: '', text }, []);

beforeAll(() =>
  layDocuments(
    server,
    `INSERT INTO document
      (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
    SELECT p.repository, gen_random_uuid(), p.id, p.ancestor_ids || p.id, n::text, p.path || '/' || n, 'File',
      n::text, p.acl_id, '{}', '{}'
    FROM document p, generate_series(1, ${count}) n WHERE p.path = '/default-domain/workspaces'`,
  ),
);

/** What PostgreSQL has read from the index so far: its entries, and rows of the table for them. */
async function read(): Promise<{ readonly entries: number; readonly rows: number }> {
  const [found] = await send<{ entries: number; rows: number }>(`
    SELECT idx_tup_read::int AS entries, idx_tup_fetch::int AS rows FROM pg_stat_user_indexes
    WHERE indexrelname = 'document_children_idx'`);
  return found ?? { entries: 0, rows: 0 };
}

test('§4.1 children are counted from an index for administrators', async () => {
  const before = await read();
  const { body } = await server.request.get(at).expect(200);
  expect(body.resultsCount).toBe(count);
  await until(async () => (await read()).entries >= before.entries + count);
  expect((await read()).rows - before.rows).toBeLessThan(10); // other statements look a few up
  expect((await ann.get(at).expect(200)).body.resultsCount).toBe(count);
});
