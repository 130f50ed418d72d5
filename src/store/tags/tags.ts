import { statement } from '../../db/statement.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { labelOf, normalizeLabel, tagsOf, tagsProperty, toTagLabel } from '../../model/tags.ts';
import type { StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { changeByServer } from '../documents/change-by-server.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { checkPropertySets } from '../documents/properties.ts';
import { type LockRequest, lockDocuments } from '../row-locks/lock-documents.ts';
import { topDown } from '../row-locks/lock-order.ts';

type TagChange = (tags: readonly StoredValue[]) => readonly StoredValue[];

/** Documents whose tags change. */
interface Tagged {
  readonly references: readonly DocumentReference[];
  readonly needs: LockRequest['needs'];
  /** Preconditions for each of the documents. */
  readonly conditions?: Preconditions;
}

/**
 * The normalized label of a tag. The stored label may not be normalized, because tags can also be set through a
 * property.
 */
const cleaned = (tag: StoredValue): string => normalizeLabel(labelOf(tag) ?? '');

/**
 * Checks that tags can be added to the document.
 * @throws Invalid if the document cannot have tags
 */
function requireTaggable({ services: { model } }: Scope, row: DocumentRow): void {
  if (row.isProxy)
    throw new Invalid(`${row.id} is a proxy, which shows another document. Tag that document instead.`);
  if (!facetsOf(model, row).includes('NXTag'))
    throw new Invalid(`Documents of type ${row.type} cannot have tags.`);
}

/**
 * Copies the tags of locked versions to the proxies that show them. The proxies are locked first, in the same order as
 * in all other transactions.
 */
const showQuery = statement('show-tags')`
  WITH shown AS MATERIALIZED (
    SELECT d.id, d.target_id FROM document d
    WHERE d.repository = $1 AND d.target_id = ANY($2::uuid[]) AND d.is_proxy ${topDown('NO KEY UPDATE')}
  )
  UPDATE document d
  SET system_token = d.system_token + 1, properties = d.properties - '${tagsProperty}' ||
    CASE WHEN v.properties ? '${tagsProperty}'
      THEN jsonb_build_object('${tagsProperty}', v.properties -> '${tagsProperty}') ELSE '{}' END
  FROM shown JOIN document v ON v.repository = $1 AND v.id = shown.target_id
  WHERE d.repository = $1 AND d.id = shown.id`;

/** The log entry for a change of tags, with the labels that were added and removed. */
function tagEvent(document: DocumentRow, before: DocumentRow | undefined): AuditEvent {
  const [old, now] = [before?.properties ?? {}, document.properties].map((all) => tagsOf(all).map(cleaned));
  const added = now?.filter((label) => !old?.includes(label));
  const removed = old?.filter((label) => !now?.includes(label));
  return { eventId: 'documentTagUpdated', document, extended: { added, removed } };
}

async function changeTags(
  scope: Scope,
  { references, needs, conditions = {} }: Tagged,
  change: TagChange,
): Promise<DocumentRow[]> {
  const requests = references.map((reference) => ({ reference, needs }));
  const rows = await lockDocuments(scope, requests, 'NO KEY UPDATE');
  for (const row of rows) {
    requirePreconditions(row, conditions);
    requireTaggable(scope, row);
  }
  const changes = [...new Set(rows)].flatMap((row) => {
    const before = tagsOf(row.properties);
    const after = [...change(before)];
    if (after.length === before.length) return [];
    return [{ row, properties: { [tagsProperty]: after }, isLonger: after.length > before.length }];
  });
  const longer = changes.filter(({ isLonger }) => isLonger);
  const sets = longer.map(({ row: { type, facets, properties: stored }, properties }) => ({
    schemas: scope.services.model.schemasOf(type, facets),
    properties,
    stored,
    xpaths: [tagsProperty],
  }));
  await checkPropertySets(scope, sets);
  const written = await changeByServer(scope, changes, (documents) =>
    documents.map((document, index) => tagEvent(document, changes[index]?.row)),
  );
  const versionIds = written.filter(({ isVersion }) => isVersion).map(({ id }) => id);
  if (versionIds.length > 0) await scope.db.query(showQuery, [scope.options.repository, versionIds]);
  const changed = new Map(written.map((row) => [row.id, row]));
  return rows.map((row) => changed.get(row.id) ?? row);
}

/**
 * Normalizes labels.
 * @throws Invalid if a label is empty after normalization
 */
async function normalized(labels: readonly string[]): Promise<Set<string>> {
  const all = new Set<string>();
  for (const label of labels) {
    if (isTurnOver()) await yieldToEventLoop();
    all.add(toTagLabel(label));
  }
  return all;
}

/**
 * Tags documents on behalf of the caller, who needs only the Read permission. An existing tag keeps its author.
 * @param labels the labels as the user typed them
 * @returns the documents in the order of the references
 * @throws NotFound, Forbidden, Invalid, PreconditionFailed; Unprocessable if a label is too long, or a document would
 * have more tags than the schema facetedTag allows
 */
export async function tagDocuments(
  scope: Scope,
  references: readonly DocumentReference[],
  labels: readonly string[],
  conditions: Preconditions = {},
): Promise<DocumentRow[]> {
  const requested = await normalized(labels);
  return changeTags(scope, { references, needs: readPermissionFor, conditions }, (tags) => {
    const known = new Set(tags.map(cleaned));
    const added = [...requested].filter((label) => !known.has(label));
    return [...tags, ...added.map((label) => ({ label, username: scope.user.id }))];
  });
}

/**
 * Removes the given tags or, if no labels are passed, all tags.
 * @throws NotFound, Forbidden, Invalid
 */
export async function untagDocuments(
  scope: Scope,
  references: readonly DocumentReference[],
  labels?: readonly string[],
): Promise<DocumentRow[]> {
  const gone = labels && (await normalized(labels));
  return changeTags(scope, { references, needs: () => 'Write' }, (tags) =>
    tags.filter((tag) => gone && !gone.has(cleaned(tag))),
  );
}

/**
 * Removes a tag.
 * @throws NotFound if there is no such document or tag; Forbidden, Invalid, PreconditionFailed
 */
export async function removeTag(
  scope: Scope,
  reference: DocumentReference,
  label: string,
  conditions: Preconditions,
): Promise<void> {
  const gone = toTagLabel(label);
  await changeTags(scope, { references: [reference], needs: () => 'Write', conditions }, (tags) => {
    const others = tags.filter((tag) => cleaned(tag) !== gone);
    if (others.length === tags.length)
      throw new NotFound(`There is no tag ${gone.slice(0, 80)} on ${referenceKey(reference).value}.`);
    return others;
  });
}
