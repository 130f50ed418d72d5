import { expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer();

const rows = async <Row>(text: string): Promise<Row[]> => server.database.query<Row>({ name: '', text }, []);

const known = async (): Promise<number> => {
  const [table] = await rows<{ documents: number }>(
    `SELECT reltuples::float8 AS documents FROM pg_class WHERE oid = 'document'::regclass`,
  );
  return table?.documents ?? Number.NaN;
};

test('§4.7 a young database gets statistics as it grows, so that a parent is found by its key', async () => {
  expect(await known()).toBeLessThan(50);
  for (let count = 0; count < 110; count += 1)
    await createDocument(server, { parent: '/default-domain/workspaces' });
  await until(async () => (await known()) >= 50);
  const plan = await rows<Record<'QUERY PLAN', string>>(
    `EXPLAIN SELECT 1 FROM ONLY document x WHERE repository = 'default'
      AND id = '00000000-0000-0000-0000-000000000000' FOR KEY SHARE OF x`,
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('document_pkey');
});
