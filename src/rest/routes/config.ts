import { call, input } from '../../selection.ts';
import { get, type Route } from '../route.ts';

const name = { name: input('address.name') };

/** §4.6 Configuration introspection. */
export const config: readonly Route[] = [
  get('/config/facets', ({ facets }) => ({ facets })),
  get('/config/facets/:name', ({ facet }) => ({ facet: call(name, facet) }), { absent: 204 }),
  get('/config/schemas', ({ schemas }) => ({ schemas })),
  get('/config/schemas/:name', ({ schema }) => ({ schema: call(name, schema) }), { absent: 204 }),
  get('/config/types', ({ docTypes }) => ({ docTypes })),
  get('/config/types/:name', ({ docType }) => ({ docType: call(name, docType) }), { absent: 204 }),
];
