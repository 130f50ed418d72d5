import { call, input, queryArguments } from '../../selection/selection.ts';
import { del, get, postWithoutBody, type Route } from '../route.ts';
import { oauth2Routes } from './oauth2-routes.ts';

const device = queryArguments('application', 'deviceId', 'deviceDescription', 'permission');

/** §5: the routes for the caller's login tokens and for OAuth 2.0, and the route that revokes all tokens of a user. */
export const tokenRoutes: readonly Route[] = [
  ...oauth2Routes,
  get('/token', (show) => ({ tokens: call(queryArguments('application'), show.tokens) }), {
    name: 'getTokens',
    summary: 'The login tokens of the caller',
  }),
  postWithoutBody('/token', () => ({ createToken: call(device) }), {
    name: 'createToken',
    summary: 'The login token for an application on a device; created at the first request',
    answer: 'text',
  }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('address.id') }) }), {
    name: 'deleteToken',
    summary: 'Revoke a login token',
  }),
  get('/session', (show) => ({ sessions: call({}, show.sessions) }), {
    name: 'getSessions',
    summary: 'The sessions of the caller in the console',
  }),
  del('/session/:id', () => ({ endSession: call({ id: input('address.id') }) }), {
    name: 'endSession',
    summary: 'End a session',
  }),
  del('/user/:user/credentials', () => ({ endCredentials: call({ username: input('address.user') }) }), {
    name: 'endCredentials',
    summary: 'Revoke all tokens, grants and JWTs of a user',
  }),
];
