// @ts-check
// Serves the Model Context Protocol at /mcp, by which programs with a language model search and read documents.
// docs/extensions.md explains how to use it.
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from './server.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Extension, RequestWork } from 'quire-server/extension'
 */

/**
 * Answers one message. Each has a server of its own, because no state is shared by the processes of Quire. The
 * response is JSON rather than a stream, because the tools send nothing before their result.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {RequestWork} work
 */
async function answer(request, response, work) {
  const server = createServer(work, String(request.headers['user-agent'] ?? '').slice(0, 200));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/** @type {Extension} */
export default {
  name: 'mcp',
  version: '1.0.0',
  quire: '^1.0',
  handlers: [
    {
      path: '/mcp',
      access: 'users',
      oauth: { consent: 'search and read everything that you can read, and see why somebody can access it' },
      async handle(request, response, work) {
        if (request.method === 'POST' && work) return answer(request, response, work);
        // GET would open a stream for messages from the server, and DELETE would end a session; there are neither.
        response.writeHead(405, { Allow: 'POST', 'Content-Type': 'application/json' });
        response.end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"Use POST."},"id":null}');
      },
    },
  ],
};
