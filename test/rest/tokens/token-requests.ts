import type { TestServer } from '../../support/server.ts';
import { password } from '../../support/users.ts';

/** An address that any user may read. */
export const open = '/api/v1/config/types';

export const device = {
  applicationName: 'app',
  deviceId: 'd1',
  deviceDescription: 'Phone',
  permission: 'rw',
};

/** Requests for and with tokens, on a server. */
export function acquiring(server: TestServer) {
  const acquire = (user: string, query: Record<string, string> = device) =>
    server.anonymous.get('/authentication/token').auth(user, password).query(query);
  const tokenOf = async (user: string, deviceId: string): Promise<string> =>
    (await acquire(user, { ...device, deviceId }).expect(201)).text;
  const read = (token: string) => server.anonymous.get(open).set('X-Authentication-Token', token);
  return { acquire, tokenOf, read };
}
