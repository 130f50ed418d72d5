import { enrichers } from '../enrichers/index.ts';
import type { Model } from '../model/model.ts';
import { blobEnricherNames } from '../model/values/blob-json.ts';
import { documentFetchNames, fetchProperties } from './fetch-properties.ts';
import type { ContributedNames } from './request/headers.ts';

/**
 * The names that the content model and the enrichers define for headers of §9. Headers with a fixed set of valid names
 * are not included.
 */
export const contributedNames = (model: Model): ContributedNames => ({
  properties: new Set(['*', ...model.schemas.keys()]),
  enrichers: {
    blob: new Set<string>(blobEnricherNames),
    document: new Set(enrichers.document.map(({ name }) => name)),
    user: new Set(enrichers.user.map(({ name }) => name)),
  },
  fetch: {
    ...Object.fromEntries(
      Object.entries(fetchProperties).map(([type, of]) => [type.toLowerCase(), new Set(Object.keys(of))]),
    ),
    document: new Set(documentFetchNames(model)),
  },
  translate: { directoryentry: new Set(['label']) },
});

/**
 * The enrichers that guests can use. All others, and all fetch properties, could reveal users and other documents.
 */
const enrichersForGuests: ReadonlySet<string> = new Set([
  'breadcrumb',
  'hasContent',
  'hasFolderishChild',
  'permissions',
  'preview',
  'renditions',
  'tags',
  'thumbnail',
]);

/**
 * The names that guests can use in headers such as `enrichers.document`. All other names in their requests are ignored.
 */
export function contributedNamesForGuests(model: Model): ContributedNames {
  const names = contributedNames(model);
  return {
    ...names,
    enrichers: { blob: names.enrichers.blob ?? new Set(), document: enrichersForGuests },
    fetch: {},
  };
}
