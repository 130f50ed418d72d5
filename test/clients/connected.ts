import Nuxeo from 'nuxeo';
import { administrator } from '../support/administrator.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A server at a URL, and the published client of another product, connected to it. */
export interface Connected extends AsyncDisposable {
  readonly server: TestServer;
  readonly client: Nuxeo;
  /** Returns another client that is not connected yet. */
  readonly clientWith: (auth: Record<string, unknown>) => Nuxeo;
}

/** Starts both, with CONTEXT_PATH=/nuxeo, which such clients expect. */
export async function startConnected(): Promise<Connected> {
  const server = await startServer({ CONTEXT_PATH: '/nuxeo' });
  const port = await server.listen();
  const clientWith = (auth: Record<string, unknown>) =>
    new Nuxeo({ baseURL: `http://127.0.0.1:${port}/nuxeo/`, auth });
  return {
    server,
    clientWith,
    client: await clientWith({ method: 'basic', ...administrator }).connect(),
    [Symbol.asyncDispose]: server.stop,
  };
}

/** Returns the status of the answer that a client call fails with. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (reason: Error & { response: Response }) => reason,
  );
  if (!('response' in error)) throw error;
  return error.response.status;
}
