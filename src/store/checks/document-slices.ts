import { type Columns, modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { lockAllDocuments } from '../row-locks/lock-all-documents.ts';
import type { CheckContext, CheckFault, FoundFault } from './check.ts';

/**
 * The number of documents that one statement checks. Each statement sees a single snapshot of the database, regardless
 * of concurrent writes.
 */
const documentsOfSlice = 2_000;

/** The maximum number of seconds for repairing a slice, which may rewrite whole subtrees. */
const repairTimeout = 600;

/** A fault in a document. */
export type DocumentFault = CheckFault & Required<Pick<CheckFault, 'repository' | 'id' | 'path'>>;

/** The faults in a slice, along with the key of its last document. */
export interface FoundInSlice extends DocumentPlace {
  readonly count: number;
  readonly faults: readonly DocumentFault[];
}

interface SliceCheck {
  /**
   * Checks the slice that starts after the given key.
   * @returns undefined after the last document
   */
  find(db: Pick<Client, 'query'>, after: DocumentPlace): Promise<FoundInSlice | undefined>;
  /** Repairs the faults that can be repaired, in a transaction during which nothing else can write documents. */
  repair?(db: Client, faults: readonly DocumentFault[]): Promise<unknown>;
}

/** A common table expression (CTE) for a WITH clause: the documents of a slice, ordered by key. */
export const slice = `slice AS (
  SELECT repository, id FROM document WHERE (repository, id) > ($1, $2::uuid)
  ORDER BY repository, id LIMIT ${documentsOfSlice}
)`;

/** SQL that selects the columns declared in `sliceRow`. */
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
 * @param found SQL that selects from `slice` and returns the columns kind, repository, id, path and message
 */
export const faultsQuery = (name: string, found: string): Statement<FoundInSlice> => statement(
  name,
  foundInSlice,
)`WITH ${slice}, found (kind, repository, id, path, message) AS (${found})
    SELECT ${ofSlice}, (SELECT coalesce(jsonb_agg(to_jsonb(found)), '[]') FROM found) AS faults FROM ${lastOfSlice}`;

/** Implements `find` for a check that consists of a single statement. */
export const findBy =
  (query: Statement<FoundInSlice>): SliceCheck['find'] =>
  async (db, { repository, id }) =>
    (await db.query(query, [repository, id]))[0];

const keyOf = ({ kind, repository, id }: DocumentFault): string => `${kind} ${repository} ${id}`;

/** The repositories and ids of the faulty documents, without duplicates, as parameters of a statement. */
export function documentsOf(faults: readonly DocumentFault[]): [repositories: string[], ids: string[]] {
  const documents = [...new Map(faults.map((fault) => [`${fault.repository} ${fault.id}`, fault])).values()];
  return [documents.map(({ repository }) => repository), documents.map(({ id }) => id)];
}

/**
 * Repairs a slice while nothing else can write documents: checks it again, repairs its faults, and checks which faults
 * remain.
 */
async function repaired(
  { database }: CheckContext,
  { find, repair }: SliceCheck,
  after: DocumentPlace,
): Promise<FoundFault[]> {
  return database.transaction(repairTimeout, async (db) => {
    await lockAllDocuments(db);
    const faults = (await find(db, after))?.faults ?? [];
    if (faults.length > 0) await repair?.(db, faults);
    const left = new Set((await find(db, after))?.faults.map(keyOf));
    return faults.map((fault) => ({ ...fault, isRepaired: !left.has(keyOf(fault)) }));
  });
}

/** Checks all documents, one slice after the other. */
export async function checkDocuments(context: CheckContext, check: SliceCheck): Promise<void> {
  const { database, isRepairing, signal, onProgress, onFault } = context;
  let after = beforeAllDocuments;
  let count = 0;
  while (!signal.aborted) {
    const found = await check.find(database, after);
    if (!found) return;
    const isWork = isRepairing && check.repair !== undefined && found.faults.length > 0;
    const faults = isWork
      ? await repaired(context, check, after)
      : found.faults.map((fault) => ({ ...fault, isRepaired: false }));
    for (const fault of faults) onFault(fault);
    after = found;
    count += found.count;
    onProgress(count);
  }
}
