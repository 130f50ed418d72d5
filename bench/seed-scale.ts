import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { reindex } from './ours.ts';
import { execute } from './postgres.ts';

/** The number of different words. The frequency of the nth word is proportional to 1/n. */
const vocabulary = 50_000;
const perFolder = 50;
const foldersOfShelf = 200;
export const creators = 1_000;
export const acls = 500;

/** The number of documents that one statement inserts. */
const slice = 100_000;

const id = (kind: number, number: string): string =>
  `('0000000' || ${kind} || '-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/**
 * The time in the id of the first document. Like the server's ids, these ids start with a time, so that later
 * documents sort after earlier ones.
 */
const firstTime = 0x0190_0000_0000;

/** Returns the id of the document with the given number. */
export function documentId(number: number): string {
  const time = (firstTime + number).toString(16).padStart(12, '0');
  const rest = createHash('md5').update(String(number)).digest('hex').slice(0, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
}

const timedIdSql = (number: string, rest: string): string => {
  const time = `lpad(to_hex(${firstTime} + ${number}), 12, '0')`;
  return `(left(${time}, 8) || '-' || right(${time}, 4) || '-7000-8000-' || ${rest})::uuid`;
};

const documentIdSql = (number: string): string => timedIdSql(number, `left(md5(${number}::text), 12)`);

/**
 * Returns an SQL expression for the id of a folder. The folder is slightly older than its first document, so its id
 * sorts directly before that document's id.
 */
const folderIdSql = (number: string): string =>
  timedIdSql(`(${number})::bigint * ${perFolder}`, `repeat('0', 12)`);

export const pathOf = (number: number): string =>
  `/scale/shelf-${Math.floor(number / perFolder / foldersOfShelf)}/folder-${Math.floor(number / perFolder)}/doc-${number}`;

export const folderOf = (number: number): string => pathOf(number).replace(/\/doc-\d+$/, '');

const time = (seconds: string): string =>
  `to_char(timestamp '2020-01-01' + ${seconds} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;

const folderProperties = (title: string): string => `jsonb_build_object('dc:title', ${title},
  'dc:created', '2020-01-01T00:00:00.000Z', 'dc:modified', '2020-01-01T00:00:00.000Z', 'dc:creator', 'Administrator')`;

const columns =
  '(repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)';

/**
 * The number of an ACL that applies only to the first folder. Each of the other ACLs applies to an equal share of the
 * documents.
 */
export const rareAcl = acls;

/** Returns the user who can read the documents with an ACL whose number is odd or `rareAcl`. */
export const readerOf = (acl: number): string => `reader-${acl}`;

const aclIdSql = (folder: string): string =>
  id(1, `CASE WHEN ${folder} = 0 THEN ${rareAcl} ELSE ${folder} % ${acls} END`);

/**
 * Inserts the ACLs. ACLs with odd numbers and `rareAcl` grant Read to one user; the others grant it to all members.
 */
const aclsSql = `INSERT INTO effective_acl (repository, id, entries)
  SELECT 'default', ${id(1, 'n')}, jsonb_build_array(jsonb_build_object(
    'username', CASE WHEN n % 2 = 0 AND n < ${rareAcl} THEN 'members' ELSE 'reader-' || n END, 'permission', 'Read', 'granted', true))
  FROM generate_series(0, ${rareAcl}) n`;

const rootSql = `INSERT INTO document ${columns}
  SELECT 'default', ${id(2, '0')}, r.id, ARRAY[r.id], 'scale', '/scale', 'Folder', 'Scale', ${id(1, '0')}, ${folderProperties("'Scale'")}, '{}'
  FROM document r WHERE r.path = '/' AND r.repository = 'default'`;

const shelvesSql = (count: number): string => `INSERT INTO document ${columns}
  SELECT 'default', ${id(3, 'n')}, ${id(2, '0')}, ARRAY[r.id, ${id(2, '0')}], 'shelf-' || n, '/scale/shelf-' || n, 'Folder',
    'Shelf ' || n, ${id(1, '0')}, ${folderProperties("'Shelf ' || n")}, '{}'
  FROM document r, generate_series(0, ${count - 1}) n WHERE r.path = '/' AND r.repository = 'default'`;

const foldersSql = (count: number): string => `INSERT INTO document ${columns}
  SELECT 'default', ${folderIdSql('n')}, ${id(3, `n / ${foldersOfShelf}`)}, ARRAY[r.id, ${id(2, '0')}, ${id(3, `n / ${foldersOfShelf}`)}],
    'folder-' || n, '/scale/shelf-' || n / ${foldersOfShelf} || '/folder-' || n, 'Folder', 'Folder ' || n,
    ${aclIdSql('n')}, ${folderProperties("'Folder ' || n")}, '{}'
  FROM document r, generate_series(0, ${count - 1}) n WHERE r.path = '/' AND r.repository = 'default'`;

/**
 * Returns an SQL expression for a random word from a Zipf distribution. The expression is volatile and depends on the
 * row, so that each row gets a different word.
 */
const word = (seed: string): string => `'w' || floor(exp(random() * ln(${vocabulary})) + 0 * ${seed})::int`;

const documentsSql = (
  from: number,
  to: number,
  contributor: string,
): string => `INSERT INTO document ${columns}
  SELECT 'default', ${documentIdSql('n')}, ${folderIdSql(`n / ${perFolder}`)},
    ARRAY[r.id, ${id(2, '0')}, ${id(3, `n / ${perFolder * foldersOfShelf}`)}, ${folderIdSql(`n / ${perFolder}`)}], 'doc-' || n,
    '/scale/shelf-' || n / ${perFolder * foldersOfShelf} || '/folder-' || n / ${perFolder} || '/doc-' || n,
    (ARRAY['File', 'Note', 'Picture', 'Video', 'File'])[1 + n % 5], t.title, ${aclIdSql(`(n / ${perFolder})`)},
    jsonb_build_object('dc:title', t.title, 'dc:description', t.description, 'dc:creator', 'user' || n % ${creators},
      'dc:contributors', jsonb_build_array('user' || n % ${creators}), 'dc:lastContributor', ${contributor},
      'dc:created', ${time('n * 17')}, 'dc:modified', ${time('(n::bigint * 7919 % 10000019) * 19')},
      'dc:nature', (ARRAY['report', 'letter', 'memo', 'invoice', 'article'])[1 + n % 5],
      'dc:subjects', jsonb_build_array('sciences/astronomy', 'society/' || n % 30), 'dc:language', 'en',
      'dc:coverage', 'europe/' || n % 40,
      'file:content', jsonb_build_object('name', 'doc-' || n || '.pdf', 'mimeType', 'application/pdf', 'encoding', null,
        'length', 1000 + n % 1000000, 'digest', md5(n::text) || md5((n + 1)::text))), '{}'
  FROM document r, generate_series(${from}, ${to - 1}) n, LATERAL (
    SELECT ${word('n')} || ' ' || ${word('n')} || ' ' || n AS title,
      (SELECT string_agg(${word('(n + s)')}, ' ') FROM generate_series(1, 12) s) AS description
  ) t
  WHERE r.path = '/' AND r.repository = 'default'`;

/** Returns the disk space that a number of documents needs with all tables and indexes, in bytes. */
export const bytesOf = (documents: number): number => documents * 4_500;

const concurrency = 2;

/** Selects the indexes that no constraint needs. Creating them at the end is faster than maintaining them. */
const secondaryIndexesSql = `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS sql
  FROM pg_index WHERE indrelid = 'document'::regclass AND NOT indisprimary ORDER BY 1`;

/**
 * Inserts documents directly into the database, and builds the search index with `quire reindex`.
 * @param contributor an SQL expression for the last contributor of the nth document
 * @returns the number of seconds that each step took
 */
export async function seedScale(
  databaseUrl: string,
  documents: number,
  contributor = `'user' || n % ${creators}`,
): Promise<{ rows: number; index: number }> {
  // Disables triggers and foreign keys, so that changes are not recorded for the index and parents are not checked.
  const send = (sql: string) => execute(databaseUrl, `SET session_replication_role = replica; ${sql}`);
  const begin = performance.now();
  const indexes = (await execute(databaseUrl, secondaryIndexesSql)) as Array<{ name: string; sql: string }>;
  for (const { name } of indexes) await send(`DROP INDEX ${name}`);
  const folders = Math.ceil(documents / perFolder);
  for (const sql of [aclsSql, rootSql, shelvesSql(Math.ceil(folders / foldersOfShelf)), foldersSql(folders)])
    await send(sql);
  const slices = Array.from({ length: Math.ceil(documents / slice) }, (_, nth) => nth * slice);
  await pMap(slices, (from) => send(documentsSql(from, Math.min(from + slice, documents), contributor)), {
    concurrency,
  });
  await pMap(indexes, ({ sql }) => send(sql), { concurrency });
  await execute(databaseUrl, 'VACUUM ANALYZE document');
  const start = performance.now();
  await reindex(databaseUrl);
  return { rows: (start - begin) / 1000, index: (performance.now() - start) / 1000 };
}
