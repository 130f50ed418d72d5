import type { Forms } from '../../selection/compatibility.ts';
import {
  entityType,
  Field,
  mergeSelections,
  omitIfNull,
  type Selection,
  type SelectionNode,
} from '../../selection/selection.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

/** A schema (§2.6). The prefix is in two fields, both of which are omitted if the schema has none. */
const plainSchema: Selection = {
  'entity-type': entityType,
  name: true,
  prefix: omitIfNull,
  '@prefix': new Field({ ...omitIfNull, name: 'prefix' }),
  fields: true,
};

const schemaIn = ({ fetch }: ResponseShape): Selection =>
  mergeSelections(plainSchema, ...(fetch.schema ?? []).map((name) => fetchProperties.schema[name] ?? {}));

const server: Selection = { distributionName: true, distributionVersion: true, distributionServer: true };
const cluster: Selection = { enabled: true, nodeId: true };

const converter: Selection = {
  'entity-type': entityType,
  name: true,
  sourceMimeTypes: true,
  destinationMimeTypes: true,
  parameters: true,
  needs: true,
  isAvailable: true,
};

/**
 * The entities that describe the configuration (§4.6). Among the headers that shape responses, only `fetch.schema`
 * affects them.
 */
export function configEntities(shape: ResponseShape, forms: Forms) {
  const schema = schemaIn(shape);
  const facet: Selection = { 'entity-type': entityType, name: true, schemas: schema };
  const docType: Selection = {
    'entity-type': entityType,
    name: true,
    parent: true,
    facets: true,
    schemas: schema,
  };
  /** A facet in the list of facets, where a facet without schemas has no field `schemas`. */
  const listed = new Field({
    of: forms.definedSchema(schema),
    format: (list) => ((list as unknown[]).length > 0 ? list : undefined),
  });
  return {
    capabilities: { 'entity-type': entityType, server, cluster, repository: true },
    converters: { 'entity-type': entityType, entries: converter },
    schema,
    schemas: forms.definitions(forms.definedSchema(schema)),
    facet,
    facets: forms.definitions(forms.definedFacet({ ...facet, schemas: listed })),
    docType,
    docTypes: { 'entity-type': entityType, doctypes: true, schemas: true, entries: docType },
  } satisfies Record<string, SelectionNode>;
}
