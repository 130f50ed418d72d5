/**
 * Receives events, and answers only those that the server has signed. It follows https://www.standardwebhooks.com, for
 * which there are libraries; this is all that they do.
 *
 *   SECRET=0123456789abcdef npx tsx examples/webhook-receiver/receiver.ts
 *
 * The server calls no private addresses unless it is started with WEBHOOK_PRIVATE_ADDRESSES=127.0.0.1. Then, as an
 * administrator, with the port that the receiver has printed:
 *
 *   curl -u Administrator:Administrator http://localhost:8080/api/v1/management/webhooks \
 *     -H 'Content-Type: application/json' \
 *     -d '{"entity-type": "webhook", "url": "http://127.0.0.1:9090/", "secret": "0123456789abcdef"}'
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const { SECRET = '', PORT = '9090' } = process.env;
if (SECRET.length < 16) throw new Error('SECRET is that of the webhook, of 16 characters at least');

/** Seconds: an older message may be one that was recorded, and is sent again by another. */
const longestAge = 300;

/** A secret that begins with whsec_ is a key in base64; any other is the key itself. */
const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice('whsec_'.length), 'base64') : SECRET;

/** Whether the signature is that of the body, byte by byte as it came. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  );
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > longestAge) return false;
  const wanted = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  // While a secret is being replaced there may be several. Comparing takes the same time whatever is different.
  return signatures.split(' ').some((given) => {
    const signature = Buffer.from(given);
    return signature.length === wanted.length && timingSafeEqual(signature, wanted);
  });
}

/** A message may come again, when its answer was lost: what is done already has its id here. */
const known = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (!isSigned(request.headers, body)) return void response.writeHead(401).end();
  // Answer at once, and work afterwards: after ten seconds the server tries again.
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (known.has(id)) return;
  known.add(id);
  const { type, data } = JSON.parse(body);
  console.log(`${type} by ${data.principal}: ${data.document?.path ?? 'no document'}`);
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Waiting for events on port ${(server.address() as AddressInfo).port}`);
});
