import { expect, test } from '@jest/globals';
import { layerOf, read, sourceFiles } from './tree.ts';

/** The rooms that send statements. */
const senders = ['db/', 'loaders/', 'store/', 'embedded/'];

/** What may stand outside of them: `query/` makes conditions and aggregates of queries, which loaders send. */
const compiler = 'query/';

const sent = /\.query(?:<[^(]*>)?\(|\bprisma[.}]|\.prisma\b|\{ prisma\b(?!:)/;

/** The start of a statement; every query in NXQL starts with `SELECT * FROM` and a type. */
const sql =
  /\b(?:SELECT (?!\* FROM [A-Z])|INSERT INTO|UPDATE \w+ SET|DELETE FROM|TRUNCATE|ANALYZE|NOTIFY|LISTEN|LOCK TABLE)/;

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/** The lines of a file of a room that reach the database past `loaders/` and `store/`. */
function faultsOf(room: string, text: string): string[] {
  if (senders.includes(room)) return [];
  const lines = withoutComments(text).split('\n');
  return lines.filter((line) => sent.test(line) || (room !== compiler && sql.test(line)));
}

test('Statements are sent by db, loaders, store and the embedded database alone', () => {
  const faults = sourceFiles.flatMap((file) =>
    faultsOf(layerOf(file), read(file)).map((line) => `${file}: ${line.trim()}`),
  );
  expect(faults).toEqual([]);
});

test.each([
  'const rows = await db.query(byId, [id]);',
  'const [row] = await scope.db.query<{ id: string }>(byId, [id]);',
  'const row = await db.prisma.user.findFirst();',
  'const { user } = scope.db.prisma;',
  'async function find({ prisma }: Client) {',
  "text: 'SELECT id FROM document',",
  '  DELETE FROM log_entry WHERE id = $1`,',
  "query('UPDATE document SET title = $1')",
])('such a line is found: %s', (line) => {
  expect(faultsOf('schema/', line)).toEqual([line]);
  expect(faultsOf('store/', line)).toEqual([]);
});

test.each([
  '// SELECT all of them',
  '/** By `db.query(x)`. */',
  "'SELECT * FROM Document WHERE x = 1'",
  'request.query.a',
])('such a line is none: %s', (line) => expect(faultsOf('rest/', line)).toEqual([]));
