import { call, input, queried } from '../../selection.ts';
import { del, get, postNothing, type Route } from '../route.ts';

const device = queried('application', 'deviceId', 'deviceDescription', 'permission');

const granted = { clientId: input('address.client'), username: input('address.user') };

/** §5 Login tokens of the caller, and what applications were granted. */
export const tokens: Route[] = [
  get('/token', (show) => ({ tokens: call(queried('application'), show.tokens) }), {
    name: 'getTokens',
    summary: 'The login tokens of the caller',
  }),
  postNothing('/token', () => ({ createToken: call(device) }), {
    name: 'createToken',
    summary: 'A login token for an application on a device, the same one whenever it is asked for',
    answer: 'text',
  }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('address.id') }) }), {
    name: 'deleteToken',
    summary: 'Revoke a login token',
  }),
  get('/oauth2/token/client', ({ grants }) => ({ grants }), {
    name: 'getGrants',
    summary: 'What the caller granted to applications',
  }),
  get('/oauth2/token/client/:client/user/:user', ({ grant }) => ({ grant: call(granted, grant) }), {
    name: 'getGrant',
    summary: 'The last that a user granted to an application',
  }),
  del('/oauth2/token/client/:client/user/:user', () => ({ revokeGrant: call(granted) }), {
    name: 'revokeGrant',
    summary: 'End all access of an application for a user',
  }),
];
