import { NIL } from 'uuid';
import { composed, statement } from '../../db/statement.ts';
import type { BulkCommand } from '../../generated/prisma/client.ts';
import type { Context } from '../../loaders/context.ts';
import { queryCompiler, searchView } from '../../loaders/search/search-view.ts';
import type { Query } from '../../query/ast.ts';
import { SqlParameters } from '../../query/parameters.ts';
import { bulkActionNamed } from './actions/index.ts';
import { isExport } from './bulk-action.ts';

/**
 * The number of documents that one transaction collects. Collecting them takes about a second, for which a request to
 * abort the command may have to wait.
 */
const collectedAtOnce = 50_000;

const start = statement('start-bulk-command', { total: 'int4' })`
  UPDATE bulk_command SET started_at = clock_timestamp(), worked_at = clock_timestamp(),
    total = n.total, state = 'RUNNING'
  FROM (SELECT count(*)::int AS total FROM bulk_item WHERE command_id = $1::uuid) n WHERE id = $1::uuid
  RETURNING n.total`;

// The table was nearly empty before documents were collected. Unless its statistics are updated, PostgreSQL may read
// all items for each slice.
const analyze = statement('analyze-bulk-items')`ANALYZE bulk_item`;
const manyItems = 10_000;

type Collecting = Pick<BulkCommand, 'id' | 'action' | 'parameters' | 'query' | 'collectedTo'>;

/**
 * Stores the ids of the next documents that the query finds for the user, up to `max` of them. When there are no more,
 * the command starts to process the documents: in the order of ids if the action asks for it, and otherwise parents
 * first.
 *
 * The statement continues after the last id of the previous step (`collected_to`), so each step reads only the rows it
 * adds, however many documents the query finds. The ids and the new `collected_to` are committed together: after a
 * crash, the next step neither skips nor repeats a document.
 */
export async function collectDocuments(
  context: Context,
  { id, action: name, parameters: actionParameters, query, collectedTo }: Collecting,
  max = collectedAtOnce,
): Promise<void> {
  const action = bulkActionNamed(name);
  const isById = isExport(action) && action.isById?.(actionParameters);
  const { db, load, options } = context;
  const view = searchView(context, load.access);
  const parameters = new SqlParameters([options.repository, ...view.values]);
  const { begin, foundSql } = await queryCompiler(context, load.access, view);
  const found = foundSql(query as unknown as Query, begin(parameters));
  const [command, after, limit] = [
    parameters.add(id, 'uuid'),
    parameters.add(collectedTo ?? NIL, 'uuid'),
    parameters.add(max, 'int'),
  ];
  const { text, values } = parameters.statement(`WITH found AS (
      SELECT d.id, ${isById ? '0' : 'cardinality(d.ancestor_ids)'} AS depth
      ${found} AND d.id > ${after} ORDER BY d.id LIMIT ${limit}
    ), noted AS (
      INSERT INTO bulk_item (command_id, depth, document_id) SELECT ${command}, depth, id FROM found
    ), collected AS (
      UPDATE bulk_command SET collected_to = l.id, worked_at = clock_timestamp()
      FROM (SELECT id FROM found ORDER BY id DESC LIMIT 1) l WHERE bulk_command.id = ${command}
    )
    SELECT count(*)::int AS count FROM found`);
  const [slice] = await db.query(composed(text, { count: 'int4' }), values);
  if ((slice?.count ?? 0) === max) return;
  const [started] = await db.query(start, [id]);
  if (started && started.total > manyItems) await db.query({ ...analyze, name: '' }, []);
}
