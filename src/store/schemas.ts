import { Invalid } from '../errors.ts';
import { toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { defaults } from '../model/defaults.ts';
import { membershipProperties } from '../model/memberships.ts';
import type { Schema } from '../model/model.ts';
import type { Scope } from '../scope.ts';
import { isKept } from './dublin-core.ts';
import { type DocumentReference, lockDocument, requireMutable } from './lock-document.ts';
import { lockDocuments } from './lock-documents.ts';
import { writeProperties } from './update-document.ts';

/** @throws Invalid when a document has no such schema. */
function schemaOf({ model }: Scope, { id, type, facets }: DocumentRow, name: string): Schema {
  const schema = model.schemasOf(type, facets).find((each) => each.name === name);
  if (!schema) throw new Invalid(`schema: ${id} has no schema ${name}`);
  return schema;
}

const served: readonly string[] = ['uid:major_version', 'uid:minor_version', ...membershipProperties];

/** What users write of a schema: not what the server keeps by itself (§2.1). */
const xpathsOf = ({ properties }: Schema): string[] =>
  [...properties.values()]
    .map(({ xpath }) => xpath)
    .filter((xpath) => !isKept(xpath) && !served.includes(xpath));

/**
 * Gives the properties of a schema the values that they have in a new document; what the server keeps stays.
 * @throws NotFound, Forbidden, Unprocessable; Invalid when the document has no such schema.
 */
export async function resetSchema(
  scope: Scope,
  reference: DocumentReference,
  name: string,
): Promise<DocumentRow> {
  const before = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });
  const schema = schemaOf(scope, before, name);
  const first = defaults([schema]);
  const given = Object.fromEntries(xpathsOf(schema).map((xpath) => [xpath, first[xpath] ?? null]));
  return (await writeProperties(scope, before, given)) ?? before;
}

/**
 * Gives the properties of a schema the values that they have in another document; what the server keeps stays.
 * @throws NotFound, Unprocessable; Forbidden without Read on the other one; Invalid when one of the two has no such
 * schema.
 */
export async function copySchema(
  scope: Scope,
  reference: DocumentReference,
  { name, from }: { name: string; from: DocumentReference },
): Promise<DocumentRow> {
  const claims = [
    { reference, needs: () => 'WriteProperties' as const },
    { reference: from, needs: toRead },
  ];
  const rows = await lockDocuments(scope, claims, 'NO KEY UPDATE');
  const [before, source] = rows as [DocumentRow, DocumentRow];
  requireMutable(before, 'WriteProperties');
  schemaOf(scope, source, name);
  const xpaths = xpathsOf(schemaOf(scope, before, name));
  const given = Object.fromEntries(xpaths.map((xpath) => [xpath, source.properties[xpath] ?? null]));
  return (await writeProperties(scope, before, given)) ?? before;
}
