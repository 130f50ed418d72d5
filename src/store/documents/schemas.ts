import { Invalid } from '../../errors.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { defaultProperties } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Schema } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { lockDocuments } from '../row-locks/lock-documents.ts';
import { isServerMaintained } from './dublin-core.ts';
import { requireMutable } from './mutability.ts';
import { servedProperties } from './properties.ts';
import { writeProperties } from './update-document.ts';

/** @throws Invalid when the document lacks the schema. */
function schemaOf({ services: { model } }: Scope, { id, type, facets }: DocumentRow, name: string): Schema {
  const schema = model.schemasOf(type, facets).find((each) => each.name === name);
  if (!schema) throw new Invalid(`schema: ${id} has no schema ${name}`);
  return schema;
}

/** Without the properties that the server maintains (§2.1). */
const xpathsOf = ({ properties }: Schema): string[] =>
  [...properties.values()]
    .map(({ xpath }) => xpath)
    .filter((xpath) => !isServerMaintained(xpath) && !servedProperties.includes(xpath));

/**
 * Resets the properties of a schema to their defaults.
 * @throws NotFound, Forbidden, Invalid, Unprocessable
 */
export async function resetSchema(
  scope: Scope,
  reference: DocumentReference,
  name: string,
): Promise<DocumentRow> {
  const before = await lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteProperties' });
  const schema = schemaOf(scope, before, name);
  const first = defaultProperties([schema]);
  const given = Object.fromEntries(xpathsOf(schema).map((xpath) => [xpath, first[xpath] ?? null]));
  return (await writeProperties(scope, before, given)) ?? before;
}

/**
 * Copies the properties of a schema from another document.
 * @throws NotFound, Unprocessable; Forbidden without Read on the other one; Invalid when one of the two lacks
 * the schema.
 */
export async function copySchema(
  scope: Scope,
  reference: DocumentReference,
  { name, from }: { name: string; from: DocumentReference },
): Promise<DocumentRow> {
  const claims = [
    { reference, needs: () => 'WriteProperties' as const },
    { reference: from, needs: readPermissionFor },
  ];
  const rows = await lockDocuments(scope, claims, 'NO KEY UPDATE');
  const [before, source] = rows as [DocumentRow, DocumentRow];
  requireMutable(before, 'WriteProperties');
  schemaOf(scope, source, name);
  const xpaths = xpathsOf(schemaOf(scope, before, name));
  const given = Object.fromEntries(xpaths.map((xpath) => [xpath, source.properties[xpath] ?? null]));
  const { properties: stored } = source;
  return (await writeProperties(scope, before, given, { stored })) ?? before;
}
