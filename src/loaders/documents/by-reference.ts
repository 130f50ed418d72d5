import type { Client } from '../../db/database.ts';
import type { Statement } from '../../db/statement.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { isPossibleKey, isUuid } from '../../model/names.ts';
import type { RequestOptions } from '../../scope.ts';

/**
 * One statement to find a document by id, and one to find it by path. `$1` is the repository, `$2` the id or the path.
 */
type StatementsByReference<Row> = Readonly<Record<'id' | 'path', Statement<Row>>>;

/**
 * Creates the statements for references by id and by path.
 * @param statementOf creates one of the two statements. Its argument `condition` returns an SQL condition that is true
 * if the document with the given alias is the one referred to
 */
export const byReference = <Row>(
  statementOf: (by: 'id' | 'path', condition: (alias: string) => string) => Statement<Row>,
): StatementsByReference<Row> => ({
  id: statementOf('id', (alias) => `${alias}.id = $2::uuid`),
  path: statementOf('path', (alias) => `${alias}.path = $2 AND NOT ${alias}.is_version`),
});

interface Reader {
  readonly db: Pick<Client, 'query'>;
  readonly options: Pick<RequestOptions, 'repository'>;
}

/**
 * Runs the statement for a reference. Returns no rows, without sending a statement, if no document can have the id or
 * path.
 * @throws Invalid
 */
export async function queryByReference<Row>(
  { db, options }: Reader,
  statements: StatementsByReference<Row>,
  reference: DocumentReference,
): Promise<Row[]> {
  const { by, value } = referenceKey(reference);
  const isPossible = by === 'id' ? isUuid(value) : isPossibleKey(value);
  return isPossible ? db.query(statements[by], [options.repository, value]) : [];
}
