import type { Client } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';

/**
 * Runs an SQL statement of an extension.
 * @param isWriter whether the function that runs it can write
 * @throws the error of PostgreSQL, also if the function only reads and the statement writes
 */
export async function runExtensionSql<Row>(
  db: Pick<Client, 'query'>,
  text: string,
  values: readonly unknown[],
  isWriter: boolean,
): Promise<Row[]> {
  if (isWriter) return (await db.query(composed(text), values)) as Row[];
  // PostgreSQL rejects a subquery that is not a SELECT or contains a data-modifying WITH. The parameter makes the driver
  // use the protocol that rejects several statements at once.
  const sent = `SELECT * FROM (${text}\n) AS read WHERE $${values.length + 1}::boolean`;
  return (await db.query(composed(sent), [...values, true])) as Row[];
}
