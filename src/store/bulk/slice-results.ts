import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { ErrorSubject } from '../../errors.ts';

/** The maximum number of documents in a slice. Each slice is one transaction. */
export const sliceSize = 250;

/** The number of milliseconds after which a slice leaves its remaining documents to the next one. */
export const sliceTime = 1_000;

/** The results of a slice. */
export interface SliceResults {
  readonly done: readonly string[];
  readonly failed: ReadonlyArray<readonly [id: string, error: string, about?: ErrorSubject | undefined]>;
  /** The number of documents in `done` that do not exist or that the user cannot read. */
  readonly skipped: number;
}

const rowsOf = (ids: string): string =>
  `ctid = ANY(ARRAY(SELECT place FROM taken WHERE document_id = ANY(${ids}::uuid[])))`;

// The transaction has locked the command, so the first items without an error belong to this slice. `taken` reads them
// by the primary key, in which the depth precedes the id; the other parts of the statement address them by their
// `ctid`. A condition on the ids would make each slice scan all remaining items.
const settle = statement('settle-bulk-items')`
  WITH taken AS MATERIALIZED (
    SELECT ctid AS place, document_id FROM bulk_item WHERE command_id = $1::uuid AND error IS NULL
    ORDER BY depth, document_id LIMIT ${sliceSize}
  ), failed AS (
    UPDATE bulk_item SET (error, error_subject) = (
      SELECT f.error, f.about::jsonb FROM unnest($3::uuid[], $4::text[], $8::text[]) AS f (id, error, about)
      WHERE f.id = bulk_item.document_id
    ) WHERE ${rowsOf('$3')}
  ), done AS (
    DELETE FROM bulk_item WHERE ${rowsOf('$2')}
  )
  UPDATE bulk_command SET processed = processed + cardinality($2::uuid[]) + cardinality($3::uuid[]),
    skipped = skipped + $5::int, failed = failed + cardinality($3::uuid[]),
    worked_at = clock_timestamp(), processing_millis = processing_millis + $6::int,
    state = CASE WHEN $7::boolean THEN 'COMPLETED' ELSE state END,
    ended_at = CASE WHEN $7::boolean THEN clock_timestamp() END
  WHERE id = $1::uuid`;

/** Stores the results of a slice, and completes the command if it was the last one. */
export const settleSlice = (
  db: Pick<Client, 'query'>,
  id: string,
  { done, failed, skipped }: SliceResults,
  { began, isLast }: { readonly began: number; readonly isLast: boolean },
): Promise<unknown> =>
  db.query(settle, [
    id,
    done,
    failed.map(([each]) => each),
    failed.map(([, error]) => error),
    skipped,
    Math.round(performance.now() - began),
    isLast,
    failed.map(([, , about]) => (about ? JSON.stringify(about) : null)),
  ]);
