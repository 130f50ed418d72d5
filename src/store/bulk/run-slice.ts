import type { StoredBytes } from '../../blobs/store-bytes.ts';
import { modelColumns } from '../../db/columns.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { Context } from '../../loaders/context.ts';
import { bulkActionNamed } from './actions/index.ts';
import { isActive } from './active-command.ts';
import { isExport } from './bulk-action.ts';
import { changeDocuments } from './change-documents.ts';
import { collectDocuments } from './collect-documents.ts';
import { type Export, exportDocuments, storeExport } from './export-documents.ts';
import { settleSlice, sliceSize, sliceTime } from './slice-results.ts';

const lock = statement(
  'lock-bulk-command',
  modelColumns('BulkCommand', 'id', 'action', 'parameters', 'query', 'state', 'collectedTo'),
)`
  SELECT id, action, parameters, query, state, collected_to AS "collectedTo" FROM bulk_command WHERE id = $1::uuid AND ${isActive} FOR UPDATE SKIP LOCKED`;

type Taken = RowOf<typeof lock>;

const scroll = statement('scroll-bulk-command')`
  UPDATE bulk_command SET state = 'SCROLLING_RUNNING', scroll_started_at = clock_timestamp() WHERE id = $1::uuid`;

async function workOn(
  context: Context,
  { id, action: name, parameters }: Taken,
  joined: StoredBytes | undefined,
): Promise<Export | undefined> {
  const { db } = context;
  const began = performance.now();
  const action = bulkActionNamed(name);
  const items = await db.prisma.bulkItem.findMany({
    where: { commandId: id, error: null },
    select: { documentId: true },
    orderBy: [{ depth: 'asc' }, { documentId: 'asc' }],
    take: sliceSize,
  });
  const ids = items.map(({ documentId }) => documentId);
  if (isExport(action)) {
    const isLast = ids.length === 0;
    if (isLast && !joined) return { id, action, parameters };
    if (joined) await storeExport(context, id, joined);
    const results = isLast
      ? { done: [], failed: [], skipped: 0 }
      : await exportDocuments(context, { id, action, parameters }, { ids, end: began + sliceTime });
    return void (await settleSlice(db, id, results, { began, isLast }));
  }
  const results = await changeDocuments(context, action, parameters, { ids, end: began + sliceTime });
  const isLast = ids.length < sliceSize && results.done.length + results.failed.length === ids.length;
  if (!isLast) context.usedUploads.clear(); // later slices use the same uploads, so they must not be deleted yet
  return void (await settleSlice(db, id, results, { began, isLast }));
}

/**
 * Takes a command one step further, in a transaction that runs as the command's user: the step starts the search,
 * continues it, or processes one slice of the documents found. Does nothing if the command has ended or another runner
 * is working on it.
 * @param joined the complete file of an export, if the previous step returned that export
 * @returns an export whose parts are complete and must be joined before the next step
 */
export async function runBulkSlice(
  context: Context,
  id: string,
  joined?: StoredBytes,
): Promise<Export | undefined> {
  const { db } = context;
  const [command] = await db.query(lock, [id]);
  if (command?.state === 'RUNNING') return workOn(context, command, joined);
  if (command?.state === 'SCHEDULED') await db.query(scroll, [id]);
  else if (command) await collectDocuments(context, command);
  return undefined;
}
