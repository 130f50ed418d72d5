import { call, input, queried } from '../../selection.ts';
import { del, get, postNothing, type Route } from '../route.ts';

const device = queried('application', 'deviceId', 'deviceDescription', 'permission');

/** §5 Login tokens of the caller. */
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
];
