import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { atEnd } from '../closing.ts';
import { ask } from './ask.ts';

/** A receiver of webhooks. It accepts all messages, so the message for every event must arrive. */
export interface Receiver {
  readonly url: string;
  /** The subject of each message, by message id. A message that is delivered twice counts once. */
  readonly messages: ReadonlyMap<string, string>;
}

/**
 * The maximum time for delivering a message, in milliseconds. If the process is killed during a delivery, the
 * message is sent again at the first poll for jobs after the lease has expired.
 */
const deliveryTimeout = 90_000;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function startReceiver(): Promise<Receiver> {
  const messages = new Map<string, string>();
  const keep = (id: string, body: string): void => {
    const { type, timestamp, data } = JSON.parse(body);
    messages.set(id, `${type} ${data.document?.uid} ${timestamp}`);
  };
  const server = createServer((request, response) => {
    void read(request).then(
      (body) => {
        keep(String(request.headers['webhook-id']), body);
        response.writeHead(204).end();
      },
      () => {}, // The sender was killed.
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { messages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Creates a webhook that sends all document events to the receiver. */
export async function createWebhook(url: string, receiver: Receiver): Promise<void> {
  const body = { 'entity-type': 'webhook', url: receiver.url, events: [] };
  const response = await ask(url, '/management/webhooks', 'POST', body);
  if (response.status !== 201)
    throw new Error(`the webhook could not be created: ${response.status} ${await response.text()}`);
}

const counted = (keys: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Counts the document events that have been logged since the webhook was created. */
async function logged({ prisma }: Pick<Database, 'prisma'>, since: Date): Promise<Map<string, number>> {
  const entries = await prisma.logEntry.findMany({
    where: { repository: { not: '' }, logDate: { gte: since } },
  });
  return counted(
    entries.map(({ eventId, docUuid, eventDate }) => `${eventId} ${docUuid} ${eventDate.toISOString()}`),
  );
}

/**
 * Waits until a message for each logged event has arrived. A server must be running, and nothing may write.
 * @returns descriptions of missing messages, and of messages for events that are not in the log
 */
export async function webhookFaults(
  database: Pick<Database, 'prisma'>,
  receiver: Receiver,
  since: Date,
): Promise<string[]> {
  const wanted = await logged(database, since);
  const total = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  const end = performance.now() + deliveryTimeout;
  while (receiver.messages.size < total && performance.now() < end) await wait(200);
  const came = counted(receiver.messages.values());
  const differences = [...new Set([...wanted.keys(), ...came.keys()])].filter(
    (key) => wanted.get(key) !== came.get(key),
  );
  console.log(`${total} events in the log, but ${receiver.messages.size} messages arrived`);
  return differences.map(
    (key) => `${key}: ${wanted.get(key) ?? 0} in the log, but ${came.get(key) ?? 0} messages arrived`,
  );
}
