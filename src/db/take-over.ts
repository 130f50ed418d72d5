import { Unavailable } from '../errors.ts';
import type { Driver } from './driver.ts';
import { type Migration, recordOf } from './migration-files.ts';
import { composed } from './statement.ts';

/** The migration that replaces all migrations of Quire 0.1. */
export const baselineName = '20261127120000_baseline';

/**
 * The migrations of Quire 0.1. A database of that release can be upgraded only if all of them have been applied to it.
 */
const formerNames: ReadonlySet<string> = new Set([
  '20261121000000_initial',
  '20261121010200_groups',
  '20261121010210_search_users',
  '20261121010300_credentials',
  '20261121010400_acls',
  '20261121010500_directories',
  '20261121020000_history',
  '20261121020500_room_for_updates',
  '20261121030400_social',
  '20261121040000_kept_answers',
  '20261121050000_folderish_children',
  '20261121050000_latest_versions',
  '20261121060000_tag_acls',
  '20261122010000_executions',
  '20261122020000_words',
  '20261122070000_uploads',
  '20261122080000_workflows',
  '20261122090000_execution_table',
  '20261122100000_task_acls',
  '20261122110000_upload_bytes',
  '20261122110000_words_query',
  '20261122170000_token_ends',
  '20261122180000_ended_credentials',
  '20261123040000_retention',
  '20261123060000_event_vocabularies',
  '20261123070000_mail',
  '20261123080000_invitations',
  '20261123080000_own_oauth2_tokens',
  '20261123090000_icon_words',
  '20261123093000_comment_events',
  '20261123100000_created_authorities',
  '20261123100000_mails_of_aces',
  '20261123110000_search_index',
  '20261123140000_jobs',
  '20261123141000_mail_jobs',
  '20261123142000_webhooks',
  '20261123150000_bulk_actions',
  '20261123160000_title_beginnings',
  '20261124000000_bulk_files',
  '20261124010000_renditions',
  '20261124020000_search_language',
  '20261124030000_search_values',
  '20261124031000_search_lists',
  '20261124040000_file_words',
  '20261124090000_picture_views',
  '20261124095000_execution_jobs',
  '20261124110000_search_keys',
  '20261124120000_conversion',
  '20261124153000_search_rebuild',
  '20261124160000_search_places',
  '20261124193000_ids_at_path',
  '20261124194500_search_states',
  '20261125190000_children',
  '20261125213000_search_titles',
  '20261126010000_execution_commands',
  '20261126050000_former_users',
  '20261126051000_job_indexes',
  '20261126060000_running_jobs',
  '20261126074000_held_members',
  '20261126080000_restored_comments',
  '20261126090000_plain_labels',
  '20261126100000_search_transactions',
  '20261126110000_collected_documents',
  '20261126120000_search_acls',
  '20261126170000_search_state',
  '20261126200000_version_comment_acls',
  '20261127030000_rows_of_users',
  '20261127033000_mails_of_documents',
]);

export const isFormer = (name: string): boolean => formerNames.has(name);

/**
 * In a list of applied migrations, replaces the migrations of Quire 0.1 with the baseline.
 * @throws Unavailable if some migrations of Quire 0.1 are missing
 */
export function withBaseline(names: readonly string[]): string[] {
  if (!names.some(isFormer)) return [...names];
  const missing = [...formerNames].filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Unavailable(
      `The tables were created by an early build of Quire 0.1: ${missing.length} of its ${formerNames.size} migrations are missing, starting with ${missing[0]}. Start the last build of Quire 0.1 on the database once, and then this build.`,
    );
  return [baselineName, ...names.filter((name) => !isFormer(name))];
}

// Lists the columns, constraints, indexes, functions, triggers and views of a schema, each with a definition that does
// not contain the name of the schema, so that two schemas can be compared. The table "own" contains the id of the
// schema. Columns are compared by name, regardless of their order. Two things that the server itself changes are
// ignored: the mapping of the text search configuration, and whether a trigger is enabled.
const catalogQuery = composed(
  `
    WITH "own" AS (SELECT oid FROM pg_namespace WHERE nspname = $1), "object" (kind, name, definition) AS (
      SELECT 'column', c.relname || '.' || a.attname, concat_ws(
        ' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' END, a.attgenerated,
        a.attidentity, pg_get_expr(d.adbin, d.adrelid), o.collname
      )
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'v')
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      LEFT JOIN pg_collation o ON o.oid = a.attcollation
      WHERE c.relnamespace = (TABLE "own") AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL
      SELECT 'constraint', c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE k.connamespace = (TABLE "own") AND k.contype <> 'n'
      UNION ALL
      SELECT 'index', c.relname, pg_get_indexdef(c.oid) FROM pg_class c
      WHERE c.relnamespace = (TABLE "own") AND c.relkind = 'i'
      UNION ALL
      SELECT 'function', p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_functiondef(p.oid)
      FROM pg_proc p WHERE p.pronamespace = (TABLE "own") AND p.prokind = 'f'
      UNION ALL
      SELECT 'trigger', c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = (TABLE "own") AND NOT t.tgisinternal
      UNION ALL
      SELECT 'view', c.relname, pg_get_viewdef(c.oid) FROM pg_class c
      WHERE c.relnamespace = (TABLE "own") AND c.relkind = 'v'
    )
    SELECT kind || ' ' || name AS name, replace(definition, $1 || '.', '') AS definition FROM "object"
    ORDER BY 1`,
  { name: 'text', definition: 'text' },
);

const scratch = 'quire_baseline';

/**
 * Lists the objects created by these migrations that are missing in the database or have a different definition there.
 * Additional objects are ignored.
 */
async function differencesFrom(
  { query, script }: Pick<Driver, 'query' | 'script'>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const [current] = await query(
    composed("SELECT current_schema() AS schema, current_setting('search_path') AS path", {
      schema: 'name',
      path: 'text',
    }),
    [],
  );
  if (!current) return [];
  await script(`CREATE SCHEMA ${scratch}; SET LOCAL search_path = ${scratch}, public`);
  for (const { sql } of migrations) await script(sql);
  const expected = await query(catalogQuery, [scratch]);
  const found = await query(catalogQuery, [current.schema]);
  await query(composed("SELECT set_config('search_path', $1, true)"), [current.path]);
  await script(`DROP SCHEMA ${scratch} CASCADE`);
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  return expected.flatMap(({ name, definition }) => {
    const own = definitions.get(name);
    if (own === definition) return [];
    return own === undefined ? `the ${name} is missing` : `the ${name} differs`;
  });
}

/**
 * Records the baseline in place of the migrations of Quire 0.1, after comparing the database with it. For the
 * comparison, the baseline and the later migrations that the database has are applied to an empty schema, which is then
 * dropped.
 * @param applied the names of the migrations that have been applied to the database
 * @throws Unavailable if some migrations are missing or unknown, or the tables differ from those that the migrations
 * create
 */
export async function takeOver(
  driver: Pick<Driver, 'query' | 'script'>,
  applied: readonly string[],
  known: readonly Migration[],
): Promise<void> {
  const names = withBaseline(applied);
  const unknown = names.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new Unavailable(
      `The database has migrations of Quire 0.1 and others that this build does not have: ${unknown.join(', ')}. Start the build that created them.`,
    );
  const migrations = known.filter(({ name }) => names.includes(name));
  const differences = await differencesFrom(driver, migrations);
  if (differences.length > 0)
    throw new Unavailable(
      `The tables differ from the tables that Quire 0.1 creates: ${differences.slice(0, 5).join('; ')}${differences.length > 5 ? `; and ${differences.length - 5} more` : ''}. Undo these changes, or make a backup with Quire 0.1 and restore it into an empty database.`,
    );
  const [baseline] = migrations;
  if (!baseline) return;
  const former = [...formerNames].map((name) => `'${name}'`).join(', ');
  await driver.script(
    `DELETE FROM _prisma_migrations WHERE migration_name IN (${former});\n${recordOf(baseline)}`,
  );
}
