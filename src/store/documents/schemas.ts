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
import { serverProperties } from './properties.ts';
import { writeProperties } from './update-document.ts';

/**
 * Returns a schema of the document.
 * @throws Invalid if the document does not have the schema
 */
function schemaOf({ services: { model } }: Scope, { id, type, facets }: DocumentRow, name: string): Schema {
  const schema = model.schemasOf(type, facets).find((each) => each.name === name);
  if (!schema) throw new Invalid(`schema: The document ${id} does not have the schema ${name}.`);
  return schema;
}

/** The xpaths in a schema, except those of properties that the server maintains (§2.1). */
const xpathsOf = ({ properties }: Schema): string[] =>
  [...properties.values()]
    .map(({ xpath }) => xpath)
    .filter((xpath) => !isServerMaintained(xpath) && !serverProperties.includes(xpath));

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
  const values = Object.fromEntries(xpathsOf(schema).map((xpath) => [xpath, first[xpath] ?? null]));
  return (await writeProperties(scope, before, values)) ?? before;
}

/**
 * Copies the properties of a schema from another document.
 * @throws NotFound, Unprocessable; Forbidden without Read on the other document; Invalid if one of the documents does
 * not have the schema
 */
export async function copySchema(
  scope: Scope,
  reference: DocumentReference,
  { name, from }: { name: string; from: DocumentReference },
): Promise<DocumentRow> {
  const requests = [
    { reference, needs: () => 'WriteProperties' as const },
    { reference: from, needs: readPermissionFor },
  ];
  const rows = await lockDocuments(scope, requests, 'NO KEY UPDATE');
  const [before, source] = rows as [DocumentRow, DocumentRow];
  requireMutable(before, 'WriteProperties');
  schemaOf(scope, source, name);
  const xpaths = xpathsOf(schemaOf(scope, before, name));
  const values = Object.fromEntries(xpaths.map((xpath) => [xpath, source.properties[xpath] ?? null]));
  const { properties: stored } = source;
  return (await writeProperties(scope, before, values, { stored })) ?? before;
}
