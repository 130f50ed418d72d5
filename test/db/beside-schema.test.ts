import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { stockedDatabase } from '../support/database.ts';

let database: Database;
let text: string;
beforeAll(async () => {
  ({ database } = await stockedDatabase());
  text = await readFile(new URL('../../prisma/README.md', import.meta.url), 'utf8');
});
afterAll(() => database.close());

/** The names at the beginning of the entries in the list below a heading. */
function listed(heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [list = ''] = section.split('\n## ');
  return [...list.matchAll(/^- `(\w+)`/gm)].map(([, name = '']) => name);
}

test.each([
  [
    'Functions',
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
  ],
  [
    'Triggers',
    `SELECT tgname AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`,
  ],
  [
    'Indexes',
    `SELECT c.relname AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'search\\_value\\_%'
       AND (indpred IS NOT NULL OR indexprs IS NOT NULL OR c.reloptions IS NOT NULL)`,
  ],
])('prisma/README.md lists what schema.prisma cannot describe: %s', async (heading, query) => {
  const rows = await database.query<{ name: string }>({ name: '', text: query }, []);
  expect(listed(heading).sort()).toEqual(rows.map(({ name }) => name).sort());
});
