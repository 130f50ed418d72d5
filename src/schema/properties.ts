import type { Context } from '../context.ts';
import { unread } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Schema } from '../model/model.ts';
import { listedOnceFetched } from '../model/references.ts';
import { showProperties } from '../model/show-value.ts';
import type { StoredBlob } from '../model/stored.ts';
import { blobUrl } from './links.ts';
import { type Shown, withMemberships } from './memberships.ts';

/** The schemas of a document, or those of them that are named; `*` names all. */
export function schemasOf(
  { type, facets }: DocumentRow,
  { model }: Context,
  names?: readonly string[] | null,
): readonly Schema[] {
  const all = model.schemasOf(type, facets);
  return names && !names.includes('*') ? all.filter(({ name }) => names.includes(name)) : all;
}

/** A blob as properties show it (§2.1). */
const showBlob =
  (context: Context, document: DocumentRow) =>
  ({ name, mimeType, encoding, digest, length }: StoredBlob, xpath: string) => {
    const data = blobUrl(context, document, xpath);
    const described = { name, 'mime-type': mimeType, encoding, digestAlgorithm: 'SHA-256', digest };
    return { ...described, length: String(length), data, blobUrl: data };
  };

/** Which properties are wanted, and how. */
interface PropertiesWish {
  readonly schemas?: readonly string[] | null | undefined;
  /** Fetch properties: of some, one value is shown as a list. */
  readonly fetch?: readonly string[] | null | undefined;
}

/**
 * The properties of all schemas, or of those named; the label's numbers come from their columns, and what memberships
 * make from where they are.
 */
export function properties(
  document: DocumentRow,
  { schemas: names, fetch }: PropertiesWish,
  context: Context,
): Shown | Promise<Shown> {
  if (document.properties === unread) return {};
  const schemas = schemasOf(document, context, names);
  const shown = showProperties(schemas, document.properties, showBlob(context, document));
  if ('uid:major_version' in shown) {
    shown['uid:major_version'] = document.majorVersion;
    shown['uid:minor_version'] = document.minorVersion;
  }
  for (const xpath of fetch ? listedOnceFetched(schemas, fetch) : []) {
    shown[xpath] = shown[xpath] === null ? [] : [shown[xpath]];
  }
  return withMemberships(document, shown, context);
}
