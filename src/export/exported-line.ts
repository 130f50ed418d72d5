import type { ExportedDocument } from '../loaders/documents/subtree.ts';
import { firstDefaults } from '../model/defaults.ts';
import { relationFacets } from '../model/facets-of.ts';
import type { Model } from '../model/model.ts';
import { renderProperties } from '../model/values/render-value.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import { localAclName } from '../security/acl.ts';
import { addressOf } from './format.ts';

const isSet = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** A document as imports read it: unset properties with a default are there. @param onBlob gets its blobs. */
export function exportedLine(
  model: Model,
  { path, type, facets, state, properties: stored, acls }: ExportedDocument,
  onBlob: (blob: StoredBlob) => void,
): Record<string, unknown> {
  const renderBlob = (blob: StoredBlob) => {
    onBlob(blob);
    const { name, mimeType, encoding, digest, length } = blob;
    return { name, 'mime-type': mimeType, encoding, digest, length: String(length), data: addressOf(digest) };
  };
  const properties = Object.entries(renderProperties(model.schemasOf(type, facets), stored, renderBlob));
  const defaults = firstDefaults(model, type, facets);
  const own = facets.filter((facet) => !relationFacets.includes(facet)); // an export lacks other documents and users
  const aces = acls?.find(({ name }) => name === localAclName)?.aces ?? [];
  return {
    path,
    type,
    ...(own.length > 0 && { facets: own }),
    state,
    properties: Object.fromEntries(properties.filter(([xpath, value]) => isSet(value) || xpath in defaults)),
    ...(aces.length > 0 && { acl: aces.map(({ notify: _, ...ace }) => ace) }),
  };
}
