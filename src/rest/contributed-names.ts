import { enrichers } from '../enrichers/index.ts';
import type { Model } from '../model/model.ts';
import { blobEnricherNames } from '../model/values/blob-json.ts';
import { documentFetchNames, fetchProperties } from './fetch-properties.ts';
import type { ContributedNames } from './request/headers.ts';

/** §9: the names that the model and the enrichers of this server contribute to headers with open lists. */
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
