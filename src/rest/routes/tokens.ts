import { call, input } from '../../selection.ts';
import { del, get, postNothing, type Route } from '../route.ts';

const device = {
  application: input('application'),
  deviceId: input('deviceId'),
  deviceDescription: input('deviceDescription'),
  permission: input('permission'),
};

/** §5 Login tokens of the caller. */
export const tokens: Route[] = [
  get('/token', (show) => ({ tokens: call({ application: input('application') }, show.tokens) })),
  postNothing('/token', () => ({ createToken: call(device) }), { answer: 'text' }),
  del('/token/:id', () => ({ deleteToken: call({ id: input('id') }) })),
];
