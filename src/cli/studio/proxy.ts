import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Unavailable } from '../../errors.ts';

export const loopback = '127.0.0.1';

/**
 * A content security policy that allows the page to contact only this server, so that it cannot send data to
 * Prisma's servers.
 */
const policy = "default-src 'self' 'unsafe-inline' data: blob:";

const answerWith = (
  { statusCode = 502, headers }: IncomingMessage,
  response: ServerResponse,
): ServerResponse => response.writeHead(statusCode, { ...headers, 'content-security-policy': policy });

/** Matches the beginning of a response that contains PostgreSQL's error for a write in a read-only transaction. */
const refusedWrite = /^\[\{"name":"PostgresError",[^[\]{}]*"code":"25006"/;

const explanation =
  'Nothing was changed, because Studio is read-only. To change rows, stop it, and start it again with --write.';

/**
 * Sends the response to a statement. An error for a rejected write is replaced with an explanation: Studio does not
 * show PostgreSQL's messages, but logs the text of a failed response to the browser's console.
 */
async function answerStatement(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(answer);
  if (refusedWrite.test(body.toString('utf8', 0, 1000))) {
    response.writeHead(403, { 'content-type': 'text/plain', 'content-security-policy': policy });
    response.end(explanation);
  } else {
    answerWith(answer, response).end(body);
  }
}

/**
 * A script that shows explanations in a dialog. Studio itself only reports that the operation failed and refers the
 * user to the browser's console.
 */
const showExplanations = `<script>
  const send = fetch;
  globalThis.fetch = async (...request) => {
    const answer = await send(...request);
    if (answer.status === 403) alert(await answer.clone().text());
    return answer;
  };
</script>`;

/** Sends Studio's page with the script that shows explanations. */
async function answerPage(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = (await buffer(answer)).toString().replace('<head>', `<head>${showExplanations}`);
  delete answer.headers['content-length'];
  answerWith(answer, response).end(page);
}

/**
 * Creates a proxy that forwards requests to Studio. It rejects requests from pages of other origins, because Studio
 * runs any SQL that it receives.
 */
export function createProxy(port: number, studioPort: number) {
  const hosts = [`localhost:${port}`, `${loopback}:${port}`];
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { host = '', origin, 'accept-encoding': _, ...headers } = incoming.headers;
    const isSameOrigin =
      hosts.includes(host) && (origin === undefined || hosts.includes(origin.replace('http://', '')));
    if (!isSameOrigin) {
      response.writeHead(403).end();
      return;
    }
    const to = { host: loopback, port: studioPort, method: incoming.method, path: incoming.url, headers };
    const outgoing = request(to, (answer) => {
      const rewrite = { '/bff': answerStatement, '/': answerPage }[incoming.url ?? ''];
      if (rewrite) rewrite(answer, response).catch(() => response.destroy());
      else answer.pipe(answerWith(answer, response));
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
}

/**
 * Listens on a port of the loopback interface.
 * @param port 0 for any free port.
 * @throws Unavailable if the port is in use.
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  try {
    await once(server.listen(port, loopback), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Unavailable(`Port ${port} is in use. Choose another one with --port.`);
  }
  return (server.address() as AddressInfo).port;
}
