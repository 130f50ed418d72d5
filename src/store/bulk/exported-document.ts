import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { type DocumentRow, versionLabel } from '../../loaders/documents/document-row.ts';
import { renderDocumentProperties } from '../../loaders/documents/rendered-properties.ts';
import {
  lastModified,
  shownChangeToken,
  shownFacets,
  shownTitle,
} from '../../loaders/documents/shown-fields.ts';
import { unknownName } from '../../near-names.ts';
import type { Scope } from '../../scope.ts';

/** @throws Invalid if a schema does not exist */
export function requireSchemas({ services: { model } }: Scope, schemas: readonly string[]): void {
  const unknown = schemas.find((name) => name !== '*' && !model.schemas.has(name));
  if (unknown !== undefined)
    throw new Invalid(`schemas: ${unknownName('schema', unknown, model.schemas.keys())}`);
}

/**
 * A document, including its lock, in the form that REST returns.
 * @param schemas the schemas whose properties are included; `*` stands for all
 */
export async function exportedDocument(
  row: DocumentRow,
  schemas: readonly string[],
  context: Context,
): Promise<Record<string, unknown>> {
  const [changeToken, properties] = await Promise.all([
    shownChangeToken(row, context),
    renderDocumentProperties(row, { schemas }, context),
  ]);
  return {
    'entity-type': 'document',
    repository: row.repository,
    uid: row.id,
    name: row.name,
    path: row.path,
    type: row.type,
    state: row.state,
    parentRef: row.parentId,
    isCheckedOut: row.isCheckedOut,
    isVersion: row.isVersion,
    isProxy: row.isProxy,
    proxyTargetId: row.targetId,
    versionableId: row.liveId,
    changeToken,
    isTrashed: row.isTrashed,
    title: shownTitle(row),
    versionLabel: row.isVersion ? versionLabel(row) : null,
    lockOwner: row.lockOwner,
    lockCreated: row.lockCreated?.toISOString() ?? null,
    lastModified: lastModified(row),
    facets: shownFacets(row, context.services.model),
    properties,
  };
}
