import { call, input, queried } from '../../selection.ts';
import { del, get, postNothing, type Route } from '../route.ts';

const device = queried('application', 'deviceId', 'deviceDescription', 'permission');

/** §5 Login tokens of the caller. */
export const tokens: Route[] = [
  get('/token', (show) => ({ tokens: call(queried('application'), show.tokens) })),
  postNothing('/token', () => ({ createToken: call(device) }), { answer: 'text' }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('address.id') }) })),
];
