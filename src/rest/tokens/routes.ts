import { call, input, queryArguments } from '../../selection/selection.ts';
import { del, get, postWithoutBody, type Route } from '../route.ts';
import { oauth2Routes } from './oauth2-routes.ts';

const device = queryArguments('application', 'deviceId', 'deviceDescription', 'permission');

/** §5: routes of the caller's login tokens and of OAuth 2.0, and the one that revokes all tokens. */
export const tokenRoutes: readonly Route[] = [
  ...oauth2Routes,
  get('/token', (show) => ({ tokens: call(queryArguments('application'), show.tokens) }), {
    name: 'getTokens',
    summary: 'The login tokens of the caller',
  }),
  postWithoutBody('/token', () => ({ createToken: call(device) }), {
    name: 'createToken',
    summary: 'The login token for an application on a device; created once',
    answer: 'text',
  }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('address.id') }) }), {
    name: 'deleteToken',
    summary: 'Revoke a login token',
  }),
  del('/user/:user/credentials', () => ({ endCredentials: call({ username: input('address.user') }) }), {
    name: 'endCredentials',
    summary: 'Revoke all tokens, grants and JWTs of a user',
  }),
];
