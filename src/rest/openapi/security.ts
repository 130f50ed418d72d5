import type { Json } from './json-schema.ts';

/** §5: each kind of credentials. */
export const securitySchemes: Readonly<Record<string, Json>> = {
  basic: { type: 'http', scheme: 'basic', description: 'User name and password.' },
  token: {
    ...{ type: 'apiKey', in: 'header', name: 'X-Authentication-Token' },
    description: 'A login token: `POST /token` makes one.',
  },
  bearer: {
    ...{ type: 'http', scheme: 'bearer' },
    description: 'A JWT, or an access token of OAuth 2.0.',
  },
};
