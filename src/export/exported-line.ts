import type { ExportedDocument } from '../loaders/documents/subtree.ts';
import { firstDefaults } from '../model/defaults.ts';
import type { Model } from '../model/model.ts';
import { renderProperties } from '../model/values/render-value.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import { localAclName } from '../security/acl.ts';
import { addressOf } from './format.ts';

/** Facets that say something of relations to other documents and to users, which an export lacks. */
const relations = new Set(['CollectionMember', 'Notifiable']);

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
  const own = facets.filter((facet) => !relations.has(facet));
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
