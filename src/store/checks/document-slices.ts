import { type Columns, modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { lockAllDocuments } from '../row-locks/lock-all-documents.ts';
import type { CheckContext, CheckFault, FoundFault } from './check.ts';

/**
 * Documents that one statement checks. Each statement sees one state of the database, whatever is written
 * meanwhile.
 */
const documentsOfSlice = 2_000;

/** Maximum seconds for mending a slice, which can rewrite whole subtrees. */
const mendingTimeout = 600;

/** A fault of a document. */
export type DocumentFault = CheckFault & Required<Pick<CheckFault, 'repository' | 'id' | 'path'>>;

/** The faults in a slice, and the key of its last document. */
export interface FoundInSlice extends DocumentPlace {
  readonly count: number;
  readonly faults: readonly DocumentFault[];
}

interface SliceCheck {
  /** Checks the slice after a key. @returns undefined after the last document. */
  find(db: Pick<Client, 'query'>, after: DocumentPlace): Promise<FoundInSlice | undefined>;
  /** Mends faults where it can, in a transaction during which nothing else writes documents. */
  mend?(db: Client, faults: readonly DocumentFault[]): Promise<unknown>;
}

/** A CTE for a WITH: the documents of a slice, in the order of their keys. */
export const slice = `slice AS (
  SELECT repository, id FROM document WHERE (repository, id) > ($1, $2::uuid)
  ORDER BY repository, id LIMIT ${documentsOfSlice}
)`;

/** SQL for the columns of `sliceRow`. */
export const ofSlice = '(SELECT count(*)::int FROM slice) AS count, last.repository, last.id';
export const sliceRow = {
  ...modelColumns('Document', 'repository', 'id'),
  count: 'int4',
} as const satisfies Columns;
export const lastOfSlice =
  '(SELECT repository, id FROM slice ORDER BY repository DESC, id DESC LIMIT 1) last';

const foundInSlice = { ...sliceRow, faults: typed<readonly DocumentFault[]>('jsonb') };

/**
 * A statement that finds faults in a slice.
 * @param found SQL over `slice` with the columns kind, repository, id, path and message
 */
export const faultsQuery = (name: string, found: string): Statement<FoundInSlice> => statement(
  name,
  foundInSlice,
)`WITH ${slice}, found (kind, repository, id, path, message) AS (${found})
    SELECT ${ofSlice}, (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM found) AS faults FROM ${lastOfSlice}`;

/** The `find` of a check that is only a statement. */
export const findBy =
  (query: Statement<FoundInSlice>): SliceCheck['find'] =>
  async (db, { repository, id }) =>
    (await db.query(query, [repository, id]))[0];

const keyOf = ({ kind, repository, id }: DocumentFault): string => `${kind} ${repository} ${id}`;

/** The repositories and ids of the documents, without duplicates, as parameters of a statement. */
export function documentsOf(faults: readonly DocumentFault[]): [repositories: string[], ids: string[]] {
  const documents = [...new Map(faults.map((fault) => [`${fault.repository} ${fault.id}`, fault])).values()];
  return [documents.map(({ repository }) => repository), documents.map(({ id }) => id)];
}

/**
 * Mends a slice while nothing else writes: checks it again, mends its faults, and checks which faults are
 * left.
 */
async function mended(
  { database }: CheckContext,
  { find, mend }: SliceCheck,
  after: DocumentPlace,
): Promise<FoundFault[]> {
  return database.transaction(mendingTimeout, async (db) => {
    await lockAllDocuments(db);
    const faults = (await find(db, after))?.faults ?? [];
    if (faults.length > 0) await mend?.(db, faults);
    const left = new Set((await find(db, after))?.faults.map(keyOf));
    return faults.map((fault) => ({ ...fault, isMended: !left.has(keyOf(fault)) }));
  });
}

/** Checks all documents, slice by slice. */
export async function checkDocuments(context: CheckContext, check: SliceCheck): Promise<void> {
  const { database, isMending, signal, onProgress, onFault } = context;
  let after = beforeAllDocuments;
  let count = 0;
  while (!signal.aborted) {
    const found = await check.find(database, after);
    if (!found) return;
    const isWork = isMending && check.mend !== undefined && found.faults.length > 0;
    const faults = isWork
      ? await mended(context, check, after)
      : found.faults.map((fault) => ({ ...fault, isMended: false }));
    for (const fault of faults) onFault(fault);
    after = found;
    count += found.count;
    onProgress(count);
  }
}
