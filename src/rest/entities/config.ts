import { call, entityType, Field, type Selection, whenSet } from '../../selection.ts';
import type { Shape } from '../headers.ts';

/** §2.6: both spellings of the prefix, left out where a schema has none; fields as §4.6 says. */
const schemaIn = ({ fetch }: Shape): Selection => ({
  'entity-type': entityType,
  name: true,
  prefix: whenSet,
  '@prefix': new Field({ ...whenSet, name: 'prefix' }),
  fields: fetch.schema?.includes('fields') ? call({ withConstraints: true }) : true,
});

/** §4.6: what the model holds; of the headers, `fetch.schema` alone counts. */
export function configEntities(shape: Shape) {
  const schema = schemaIn(shape);
  const facet: Selection = { 'entity-type': entityType, name: true, schemas: schema };
  const docType: Selection = {
    ...{ 'entity-type': entityType, name: true, parent: true, facets: true },
    schemas: schema,
  };
  /** In the collection a facet without schemas says nothing of them. */
  const listed = new Field({
    of: schema,
    show: (list) => ((list as unknown[]).length > 0 ? list : undefined),
  });
  return {
    schema,
    schemas: { 'entity-type': entityType, entries: schema },
    facet,
    facets: { 'entity-type': entityType, entries: { ...facet, schemas: listed } },
    docType,
    docTypes: { 'entity-type': entityType, doctypes: true, schemas: true, entries: docType },
  } satisfies Record<string, Selection>;
}
