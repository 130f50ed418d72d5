import { call, input, queryArguments } from '../../selection/selection.ts';
import { del, get, postWithoutBody, type Route } from '../route.ts';

const device = queryArguments('application', 'deviceId', 'deviceDescription', 'permission');

const granted = { clientId: input('address.client'), username: input('address.user') };

/** §5: login tokens of the caller, tokens granted to applications, and the end of all. */
export const tokenRoutes: Route[] = [
  get('/token', (show) => ({ tokens: call(queryArguments('application'), show.tokens) }), {
    name: 'getTokens',
    summary: 'The login tokens of the caller',
  }),
  postWithoutBody('/token', () => ({ createToken: call(device) }), {
    name: 'createToken',
    summary: 'A login token for an application on a device, the same one whenever it is asked for',
    answer: 'text',
  }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('address.id') }) }), {
    name: 'deleteToken',
    summary: 'Revoke a login token',
  }),
  get('/oauth2/provider', ({ providers }) => ({ serviceProviders: providers }), {
    name: 'getServiceProviders',
    summary: 'Services of others that are registered',
  }),
  get('/oauth2/client', ({ clients }) => ({ clients }), {
    name: 'getOAuth2Clients',
    summary: 'The applications that may ask for access',
    isForAdministrators: true,
  }),
  get('/oauth2/token', ({ grants }) => ({ allGrants: grants }), {
    name: 'getAllGrants',
    summary: 'What all users granted to applications',
    isForAdministrators: true,
  }),
  get('/oauth2/token/provider', ({ grants }) => ({ serviceTokens: grants }), {
    name: 'getServiceTokens',
    summary: 'What services of others granted to the caller',
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
  del('/user/:user/credentials', () => ({ endCredentials: call({ username: input('address.user') }) }), {
    name: 'endCredentials',
    summary: 'End all tokens, grants and JWTs of a user',
  }),
];
