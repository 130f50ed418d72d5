import { enrichers } from '../enrichers/index.ts';
import { documentNames } from '../fetch/document.ts';
import { fetchable } from '../fetch/index.ts';
import type { Model } from '../model/model.ts';
import type { Contributed } from './headers.ts';

/** The names that somebody contributed to this server, for the headers of §9. */
export const contributedNames = (model: Model): Contributed => ({
  properties: new Set(['*', ...model.schemas.keys()]),
  enrichers: {
    document: new Set(enrichers.document.map(({ name }) => name)),
    user: new Set(enrichers.user.map(({ name }) => name)),
  },
  fetch: {
    acls: new Set(Object.keys(fetchable.acls)),
    aggregate: new Set(Object.keys(fetchable.aggregate)),
    document: new Set(documentNames(model)),
    directoryentry: new Set(['parent']),
    group: new Set(Object.keys(fetchable.group)),
    schema: new Set(['fields']),
    task: new Set(Object.keys(fetchable.task)),
    workflow: new Set(Object.keys(fetchable.workflow)),
  },
  translate: { directoryentry: new Set(['label']) },
});
