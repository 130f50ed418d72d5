import type { Client } from '../../db/database.ts';
import type { Statement } from '../../db/statement.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { isUuid } from '../../model/names.ts';
import type { RequestOptions } from '../../scope.ts';

/** A statement for each way to refer to a document: `$1` is the repository, `$2` the id or the path. */
type StatementsByReference<Row> = Readonly<Record<'id' | 'path', Statement<Row>>>;

/** @param statementOf makes one; its condition holds for the document of an alias. */
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

/** Runs the statement for a reference; no rows where no document can have it. @throws Invalid */
export async function queryByReference<Row>(
  { db, options }: Reader,
  statements: StatementsByReference<Row>,
  reference: DocumentReference,
): Promise<Row[]> {
  const { by, value } = referenceKey(reference);
  const isPossible = by === 'id' ? isUuid(value) : !value.includes('\0');
  return isPossible ? db.query(statements[by], [options.repository, value]) : [];
}
