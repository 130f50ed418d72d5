import { enrichers } from '../enrichers/index.ts';
import type { Model } from '../model/model.ts';
import { blobEnricherNames } from '../model/values/blob-json.ts';
import { documentFetchNames, fetchProperties } from './fetch-properties.ts';
import type { ContributedNames } from './request/headers.ts';

/** §9: the names that this server's model and code contribute to the open lists of headers. */
export const contributedNames = (model: Model): ContributedNames => ({
  properties: new Set(['*', ...model.schemas.keys()]),
  enrichers: {
    blob: new Set<string>(blobEnricherNames),
    document: new Set(enrichers.document.map(({ name }) => name)),
    user: new Set(enrichers.user.map(({ name }) => name)),
  },
  fetch: {
    acls: new Set(Object.keys(fetchProperties.acls)),
    aggregate: new Set(Object.keys(fetchProperties.aggregate)),
    annotation: new Set(Object.keys(fetchProperties.annotation)),
    comment: new Set(Object.keys(fetchProperties.comment)),
    document: new Set(documentFetchNames(model)),
    directoryentry: new Set(['parent']),
    group: new Set(Object.keys(fetchProperties.group)),
    schema: new Set(['fields']),
    task: new Set(Object.keys(fetchProperties.task)),
    workflow: new Set(Object.keys(fetchProperties.workflow)),
  },
  translate: { directoryentry: new Set(['label']) },
});
