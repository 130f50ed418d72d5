import { call, input } from '../../selection/selection.ts';
import { get, type Route } from '../route.ts';

const name = { name: input('address.name') };

/** The routes for the configuration (§4.6). */
export const configRoutes: readonly Route[] = [
  get('/capabilities', ({ capabilities }) => ({ capabilities }), {
    name: 'getCapabilities',
    summary: 'The version of the server, and its repositories',
  }),
  get('/config/converters', ({ converters }) => ({ converters }), {
    name: 'getConverters',
    summary: 'The available conversions of files, and the programs they need',
  }),
  get('/config/facets', ({ facets }) => ({ facets }), { name: 'getFacets', summary: 'All facets' }),
  get('/config/facets/:name', ({ facet }) => ({ facet: call(name, facet) }), {
    name: 'getFacet',
    summary: 'A facet, with its schemas',
    absentStatus: 204,
  }),
  get('/config/schemas', ({ schemas }) => ({ schemas }), { name: 'getSchemas', summary: 'All schemas' }),
  get('/config/schemas/:name', ({ schema }) => ({ schema: call(name, schema) }), {
    name: 'getSchema',
    summary: 'A schema, with its fields',
    absentStatus: 204,
  }),
  get('/config/types', ({ docTypes }) => ({ docTypes }), { name: 'getTypes', summary: 'All document types' }),
  get('/config/types/:name', ({ docType }) => ({ docType: call(name, docType) }), {
    name: 'getType',
    summary: 'A document type, with its facets and schemas',
    absentStatus: 204,
  }),
];
