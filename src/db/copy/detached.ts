import { type CopyConnection, ownSchema, unnamed } from './table-contents.ts';

const detachableQuery = unnamed(`
  SELECT "off", "on" FROM (
    SELECT 0 AS rank, t.oid, format('ALTER TABLE %I DISABLE TRIGGER %I', c.relname, t.tgname) AS "off",
      format('ALTER TABLE %I ENABLE TRIGGER %I', c.relname, t.tgname) AS "on"
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
    UNION ALL
    SELECT 1, i.oid, format('DROP INDEX %I', i.relname), pg_get_indexdef(i.oid)
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid)
    UNION ALL
    SELECT 2, k.oid, format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname),
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype = 'f' AND c.relnamespace = ${ownSchema} AND c.relname = ANY($1::text[])
  ) d ORDER BY rank, oid`);

/**
 * Runs work while the tables have no triggers, foreign keys and indexes, except for primary keys: rows may
 * come in any order, and triggers compute nothing twice. Afterwards all are made again, and so checked.
 */
export async function whileDetached(
  { query }: CopyConnection,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const detachable = await query<{ off: string; on: string }>(detachableQuery, [tables]);
  for (const { off } of detachable) await query(unnamed(off), []);
  await work();
  for (const { on } of detachable) await query(unnamed(on), []);
}
