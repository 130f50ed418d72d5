import { entityType, Field, type Selection, whenSet } from '../../selection.ts';

/** §2.6: both spellings of the prefix, left out where a schema has none. */
const schema: Selection = {
  'entity-type': entityType,
  name: true,
  prefix: whenSet,
  '@prefix': new Field({ ...whenSet, name: 'prefix' }),
  fields: true,
};

const facet: Selection = { 'entity-type': entityType, name: true, schemas: schema };

/** In the collection a facet without schemas says nothing of them. */
const listedFacet: Selection = {
  ...facet,
  schemas: new Field({ of: schema, show: (list) => ((list as unknown[]).length > 0 ? list : undefined) }),
};

const docType: Selection = {
  'entity-type': entityType,
  name: true,
  parent: true,
  facets: true,
  schemas: schema,
};

/** §4.6: what the model holds is the same for every request. */
export const configEntities = {
  schema,
  schemas: { 'entity-type': entityType, entries: schema },
  facet,
  facets: { 'entity-type': entityType, entries: listedFacet },
  docType,
  docTypes: { 'entity-type': entityType, doctypes: true, schemas: true, entries: docType },
} satisfies Record<string, Selection>;
