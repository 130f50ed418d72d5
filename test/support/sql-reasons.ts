/**
 * The features that Prisma Client does not support in one call, each with a pattern for statements that need it. The
 * first matching entry is the reason why a statement is written in SQL.
 */
const reasons: ReadonlyArray<readonly [reason: string, sign: RegExp]> = [
  ['locks', /\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b|\bLOCK TABLE\b|\bpg_\w*advisory\w*lock/],
  ['the search index', /\bsearch_|\bfile_words\b|\bgranted_names\b/],
  ['paths and trees', /\bWITH RECURSIVE\b|\bancestor_ids (@>|\|\|)|\bancestor_ids\[/],
  ['pages of several lists, and keysets', /"listTotal"|\) > \(/],
  ['log entries in the same statement', /\bINSERT INTO log_entry\b/],
  ['lists of pairs', /\bunnest\(|_to_recordset\(/],
  ['several tables', /\b(JOIN|UNION|LATERAL|USING|WITH|EXISTS)\b|\(\s*SELECT\b/],
  ['copies of rows', /\bINSERT INTO\b[^;]*\bSELECT\b/],
  ['rows that collide or are deleted', /\bON CONFLICT\b|\bDELETE\b.*\bRETURNING\b/s],
  ['the clock of the database', /\b(clock_timestamp|now)\(\)/],
  [
    'expressions',
    /->|\|\||\b(coalesce|set_config|current_setting|\w+_agg)\(|\b(CASE|FILTER|DISTINCT)\b|\bpg_/,
  ],
  ['no rows', /^\s*(ANALYZE|SELECT 1\b)/],
];

/** Returns the reason why a statement is written in SQL; undefined if Prisma Client could send it. */
export const sqlReason = (text: string): string | undefined =>
  reasons.find(([, sign]) => sign.test(text))?.[0];

const cost = 'with Prisma Client, the whole request takes more than 1.1 times the CPU time';
const largeValue = 'Prisma Client parses a row of many megabytes at once, which keeps other requests waiting';
const partialIndex = 'Prisma Client sends the condition of a partial index as a parameter';

/** The statements that Prisma Client could send, each with the reason why it is written in SQL anyway. */
export const expressible: Readonly<Record<string, string>> = {
  'own-acls': cost,
  'entry-by-key': cost,
  'effective-acls':
    'in a transaction, a search reads them between its own statements, when no others can be sent',
  'find-pending-execution': largeValue,
  'find-execution-answer': largeValue,
  'latest-version': partialIndex,
  'probe-jobs': partialIndex,
  'lives-of-proxies': largeValue,
  'insert-bulk-command': 'Prisma Client sends the time of this process for a default of now()',
};
