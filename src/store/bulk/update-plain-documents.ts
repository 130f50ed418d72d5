import { isDeepStrictEqual } from 'node:util';
import { statement } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { createAccess } from '../../loaders/acls/access.ts';
import { type DocumentRow, isRetained } from '../../loaders/documents/document-row.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { withAudit, writeAudited } from '../audit/audit.ts';
import { changesIn } from '../audit/property-changes.ts';
import { applyPropertyChanges } from '../documents/apply-property-changes.ts';
import { blobRows, checkPropertySets, readProperties } from '../documents/properties.ts';
import { documentAfter } from '../documents/update-document.ts';
import { lockRelated } from '../row-locks/lock-documents.ts';
import { automaticIncrement } from '../versions/versions.ts';

const updateQuery = withAudit(statement('update-plain-documents')`
  UPDATE document d SET properties = e.properties, title = e.title, user_token = e.user_token
  FROM jsonb_to_recordset($2::jsonb) AS e (id uuid, properties jsonb, title text, user_token int)
  WHERE d.repository = $1 AND d.id = e.id RETURNING d.id`);

/**
 * Whether a value is a string, number or boolean, or a list of these. Blobs and complex values are excluded, because
 * they can need additional statements for each document.
 */
const isSimple = (json: unknown): boolean =>
  [json].flat().every((value) => typeof value !== 'object' || value === null);

type Change = NonNullable<ReturnType<typeof documentAfter>>;

/** The change to a document; null if it requires more than writing the document's row, or is not allowed. */
async function plainChange(
  scope: Scope,
  before: DocumentRow,
  properties: Readonly<Record<string, unknown>>,
): Promise<Change | 'same' | null> {
  const isFixed = before.isVersion || before.isProxy || !before.isCheckedOut || isRetained(before);
  if (isFixed || automaticIncrement(scope, 'before', before, before) !== 'NONE') return null;
  try {
    const schemas = scope.services.model.schemasOf(before.type, before.facets);
    const input: StoredProperties = await readProperties(scope, schemas, { ...properties }, before);
    const change = documentAfter(
      scope,
      before,
      await applyPropertyChanges(schemas, before.properties, { values: input }),
    );
    if (!change) return 'same';
    const { after } = change;
    if (automaticIncrement(scope, 'after', after, before) !== 'NONE') return null;
    return isDeepStrictEqual(blobRows(after, schemas), blobRows(before, schemas)) ? change : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function writableRows(scope: Scope, rows: readonly DocumentRow[]): Promise<DocumentRow[]> {
  const access = createAccess(scope);
  const held = await Promise.all(rows.map(async (row) => access.permissionsOn(row)));
  return rows.filter((_, index) => held[index]?.includes('WriteProperties'));
}

/**
 * Changes properties of documents if nothing but their own rows has to be written. The number of statements does not
 * depend on the number of documents. Documents are omitted if they do not exist, if the caller is not allowed to change
 * them, or if the change would create a version or replace blobs.
 * @returns the ids of the documents that now have the properties
 * @throws Unprocessable for values that violate constraints; in that case, nothing is changed
 */
export async function updatePlainDocuments(
  scope: Scope,
  ids: readonly string[],
  properties: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  if (!Object.values(properties).every(isSimple)) return [];
  const references = ids.map((id) => ({ id }));
  const locked = await lockRelated(scope, references, 'NO KEY UPDATE', 'none');
  const done: string[] = [];
  const changes: Change[] = [];
  for (const row of await writableRows(scope, locked)) {
    const change = await plainChange(scope, row, properties);
    if (change) done.push(row.id);
    if (change && change !== 'same') changes.push(change);
  }
  const sets = changes.map(({ before, after, schemas, xpaths }) => ({
    schemas,
    properties: after.properties,
    stored: before.properties,
    xpaths,
  }));
  await checkPropertySets(scope, sets);
  if (changes.length === 0) return done;
  const written = changes.map(({ after }) => ({
    id: after.id,
    properties: after.properties,
    title: after.title,
    user_token: after.userToken,
  }));
  const events = changes.map(({ before, after }) => ({
    eventId: 'documentModified' as const,
    document: after,
    extended: changesIn(before, after),
  }));
  await writeAudited(scope, updateQuery, [scope.options.repository, JSON.stringify(written)], events);
  return done;
}
