import type { Client } from 'openapi-fetch';
import { clientOf, type QuireOptions } from './client.ts';
import type { paths } from './schema.js';

export type { QuireCredentials, QuireOptions } from './client.ts';
export type { components, operations, paths } from './schema.js';

/** A client whose methods `GET`, `PUT`, `POST` and `DELETE` make the calls of the server. */
export type QuireClient = Client<paths>;

/** Creates a client for a server. Nothing is sent until a method is called. */
export const createQuireClient = (options: QuireOptions): QuireClient => clientOf<paths>(options);
