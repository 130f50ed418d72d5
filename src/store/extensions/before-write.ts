import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import { ExtensionError, guarded, requireJson } from '../../extensions/guarded.ts';
import { extensions } from '../../extensions/loaded.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { extensionDocument } from '../../loaders/documents/extension-document.ts';
import type { Model } from '../../model/model.ts';
import { sortTitle } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { applyPropertyChanges } from '../documents/apply-property-changes.ts';
import { checkProperties, readProperties, withoutUnset } from '../documents/properties.ts';

/**
 * The maximum duration of a listener, in milliseconds. It is limited because the transaction holds locks while the
 * listener runs.
 */
const deadline = 2_000;

/** Whether a type is one of the named ones, or inherits from one of them. */
function isOneOf(model: Model, type: string, names: readonly string[]): boolean {
  for (let name: string | undefined = type; name !== undefined; name = model.types.get(name)?.parent)
    if (names.includes(name)) return true;
  return false;
}

/** Returns whether extensions have listeners before writes. */
export const hasListeners = (): boolean => extensions().some(({ before }) => before?.length);

/** Returns whether a listener applies to documents of a type. */
export const isListenedTo = (model: Model, type: string): boolean =>
  extensions().some(({ before = [] }) => before.some(({ types }) => !types || isOneOf(model, type, types)));

function changedXpaths(before: DocumentRow | null, { properties }: DocumentRow): string[] {
  if (!before) return Object.keys(properties);
  const all = new Set([...Object.keys(before.properties), ...Object.keys(properties)]);
  return [...all].filter((xpath) => !isDeepStrictEqual(before.properties[xpath], properties[xpath]));
}

/** Sets the properties that a listener returned. @throws Invalid, Unprocessable */
async function withSet(
  scope: Scope,
  row: DocumentRow,
  set: Readonly<Record<string, unknown>>,
): Promise<DocumentRow> {
  const schemas = scope.services.model.schemasOf(row.type, row.facets);
  const values = await readProperties(scope, schemas, { ...set }, row);
  const changes = await applyPropertyChanges(schemas, row.properties, { values });
  const properties: StoredProperties = withoutUnset({ ...row.properties, ...changes });
  await checkProperties(scope, schemas, properties, { xpaths: Object.keys(changes), stored: row.properties });
  return { ...row, properties, title: sortTitle(row.name, properties) };
}

/**
 * Runs the listeners of extensions on a document that is about to be written.
 * @param before the document before the change; null for a new one
 * @returns the row to write, with the properties that listeners have set
 * @throws the error with which a listener rejects the write; Unprocessable for properties that it sets and that violate a
 * constraint; ExtensionError for properties that do not exist or have a value of another type
 */
export async function beforeWrite(
  scope: Scope,
  before: DocumentRow | null,
  row: DocumentRow,
): Promise<DocumentRow> {
  const { extensionContext, services } = scope;
  if (!extensionContext) return row;
  let written = row;
  for (const extension of extensions()) {
    for (const { types, run } of extension.before ?? []) {
      if (types && !isOneOf(services.model, row.type, types)) continue;
      const kind = before ? 'update' : 'create';
      const write = {
        kind,
        document: extensionDocument(written),
        before: before && extensionDocument(before),
        changed: changedXpaths(before, written),
      } as const;
      const part = `a listener before the ${kind} of ${row.type}`;
      const set = await guarded({ extension, part, log: services.log, deadline }, async () => {
        const returned = await run(write, extensionContext(scope, extension));
        if (returned !== undefined && (typeof returned !== 'object' || Array.isArray(returned)))
          throw new ExtensionError('It must return the properties to set as an object, or nothing.');
        requireJson(returned);
        return returned;
      });
      if (set && Object.keys(set).length > 0)
        written = await withSet(scope, written, set).catch((error: unknown) => {
          if (!(error instanceof Invalid)) throw error;
          services.log.error({ err: error, extension: extension.name, part }, 'An extension failed.');
          throw new ExtensionError(`The extension ${extension.name} failed in ${part}.`, { cause: error });
        });
    }
  }
  return written;
}
