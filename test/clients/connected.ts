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
export const statusOf = async (call: Promise<unknown>): Promise<number> => (await responseOf(call)).status;

/** Returns the body of that answer. */
export const refusalOf = async (call: Promise<unknown>): Promise<unknown> => (await responseOf(call)).json();

async function responseOf(call: Promise<unknown>): Promise<Response> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (reason: Error & { response: Response }) => reason,
  );
  if (!('response' in error)) throw error;
  return error.response;
}
