import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Nuxeo from 'nuxeo';
import { administrator, start, type TestServer } from '../support/server.ts';

/** A server with an address, and a client that was written for another server, as it comes, connected to it. */
export interface Connected {
  readonly server: TestServer;
  readonly client: Nuxeo;
  /** Another client, not connected yet. */
  readonly clientWith: (auth: Record<string, unknown>) => Nuxeo;
  readonly stop: () => Promise<void>;
}

/** Starts both: with CONTEXT_PATH=/nuxeo such clients find what they look for. */
export async function startConnected(): Promise<Connected> {
  const server = await start({ CONTEXT_PATH: '/nuxeo' });
  const http = createServer(server.app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const clientWith = (auth: Record<string, unknown>) =>
    new Nuxeo({ baseURL: `http://127.0.0.1:${port}/nuxeo/`, auth });
  return {
    ...{ server, clientWith },
    client: await clientWith({ method: 'basic', ...administrator }).connect(),
    stop: async () => {
      http.closeAllConnections();
      http.close();
      await server.stop();
    },
  };
}

/** The status of the answer that a call of the client fails with. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (reason: Error & { response: Response }) => reason,
  );
  if (!('response' in error)) throw error;
  return error.response.status;
}
