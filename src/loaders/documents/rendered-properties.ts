import type { Tools } from '../../converters/programs/programs.ts';
import type { Schema } from '../../model/model.ts';
import type { blobEnricherNames } from '../../model/values/blob-json.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import { xpathsFetchedAsList } from '../../model/values/references.ts';
import { renderProperties } from '../../model/values/render-value.ts';
import { fieldOf, type StoredBlob } from '../../model/values/stored.ts';
import type { Links } from '../../scope.ts';
import { isGuest, nameSeenBy } from '../../security/acl.ts';
import { hiddenProperties } from '../acls/access.ts';
import { type RenderedProperties, withMembershipIds } from '../collections/membership-properties.ts';
import type { Context } from '../context.ts';
import { hasPreview } from '../renditions/preview.ts';
import { changeToken, type DocumentRow } from './document-row.ts';

interface PlacedBlob {
  readonly blob: BlobShape;
  readonly xpath: string;
  readonly document: DocumentRow;
  readonly tools: Tools;
}

/** The enrichers of blobs (§4.9), which apply only to property values. */
const blobEnrichers: Readonly<
  Record<
    (typeof blobEnricherNames)[number],
    (placed: PlacedBlob, links: Pick<Links, 'blobPreview'>) => unknown
  >
> = {
  // This server has no connected applications.
  appLinks: () => [],
  preview: ({ blob, xpath, document, tools }, links) => ({
    url: hasPreview(blob, tools) ? links.blobPreview(document, xpath, changeToken(document)) : null,
  }),
};

/** The schemas of a document: all of them, or only those with the given names; `*` stands for all. */
export function schemasOf(
  { type, facets }: DocumentRow,
  { services: { model } }: Context,
  names?: readonly string[] | null,
): readonly Schema[] {
  const all = model.schemasOf(type, facets);
  return names && !names.includes('*') ? all.filter(({ name }) => names.includes(name)) : all;
}

/** Returns a function that renders a blob of a document as JSON (§2.1), including the fields that enrichers add. */
const showBlob =
  ({ options, services: { conversions } }: Context, document: DocumentRow, enrichers: readonly string[]) =>
  (blob: StoredBlob, xpath: string) => {
    const { name, mimeType, encoding, digest, length } = blob;
    const data = options.links.blob(document, xpath, changeToken(document));
    const shown: Record<string, unknown> = {
      name,
      'mime-type': mimeType,
      encoding,
      digestAlgorithm: 'SHA-256',
      digest,
      length: String(length),
      data,
      blobUrl: data,
    };
    const { tools } = conversions;
    for (const each of enrichers)
      shown[each] = fieldOf(blobEnrichers, each)?.({ blob, xpath, document, tools }, options.links);
    return shown;
  };

/** Replaces the names of other guests in the properties that a guest sees. */
function hideGuests(shown: RenderedProperties, { user }: Context): void {
  const seen = (value: unknown): unknown => {
    if (typeof value === 'string') return nameSeenBy(user, value);
    return Array.isArray(value) ? value.map(seen) : value;
  };
  for (const [xpath, value] of Object.entries(shown)) shown[xpath] = seen(value);
}

interface RenderingOptions {
  /** The names of the schemas to render; all schemas if absent. */
  readonly schemas?: readonly string[] | null | undefined;
  /** The fetch properties, some of which turn a single value into a list (§10.1). */
  readonly fetch?: readonly string[] | null | undefined;
  /** The names of the enrichers to apply to blobs. */
  readonly blobs?: readonly string[] | null | undefined;
}

/**
 * Renders the properties of a document as JSON. Version numbers come from columns, and the ids of collections and
 * members from their table; all other properties come from the stored JSON.
 */
export function renderDocumentProperties(
  document: DocumentRow,
  { schemas: names, fetch, blobs }: RenderingOptions,
  context: Context,
): RenderedProperties | Promise<RenderedProperties> {
  if (document.properties === hiddenProperties) return {};
  const schemas = schemasOf(document, context, names);
  const shown = renderProperties(schemas, document.properties, showBlob(context, document, blobs ?? []));
  if ('uid:major_version' in shown) {
    shown['uid:major_version'] = document.majorVersion;
    shown['uid:minor_version'] = document.minorVersion;
  }
  for (const xpath of fetch ? xpathsFetchedAsList(schemas, fetch) : []) {
    shown[xpath] = shown[xpath] === null ? [] : [shown[xpath]];
  }
  if (isGuest(context.user.id)) hideGuests(shown, context);
  return withMembershipIds(document, shown, context);
}
