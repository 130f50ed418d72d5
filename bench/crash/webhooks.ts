import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { atEnd } from '../closing.ts';
import { ask } from './ask.ts';

/** Where webhooks are sent to: it takes all of them, so each event has to come. */
export interface Receiver {
  readonly url: string;
  /** What each message was about, by its id: one that came twice counts once. */
  readonly messages: ReadonlyMap<string, string>;
}

/** The longest that a delivery waits which a killed process had taken: its lease, and the next look for work. */
const patience = 90_000;

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
      () => {}, // the sender was killed
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

/** Has all events of documents sent to the receiver from now on. */
export async function createWebhook(url: string, receiver: Receiver): Promise<void> {
  const body = { 'entity-type': 'webhook', url: receiver.url, events: [] };
  const response = await ask(url, '/management/webhooks', 'POST', body);
  if (response.status !== 201) throw new Error(`a webhook: ${response.status} ${await response.text()}`);
}

const counted = (keys: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** The events in the log since the webhook was made, which itself is not one of a document. */
async function logged({ prisma }: Pick<Database, 'prisma'>, since: Date): Promise<Map<string, number>> {
  const entries = await prisma.logEntry.findMany({
    where: { repository: { not: '' }, logDate: { gte: since } },
  });
  return counted(
    entries.map(({ eventId, docUuid, eventDate }) => `${eventId} ${docUuid} ${eventDate.toISOString()}`),
  );
}

/**
 * Waits, while a server serves and nothing writes, until each event of the log has come; answers what has not, and
 * what came of an event that is not in the log.
 */
export async function webhookFaults(
  database: Pick<Database, 'prisma'>,
  receiver: Receiver,
  since: Date,
): Promise<string[]> {
  const wanted = await logged(database, since);
  const total = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  const end = performance.now() + patience;
  while (receiver.messages.size < total && performance.now() < end) await wait(200);
  const came = counted(receiver.messages.values());
  const differences = [...new Set([...wanted.keys(), ...came.keys()])].filter(
    (key) => wanted.get(key) !== came.get(key),
  );
  console.log(`${total} events in the log, ${receiver.messages.size} webhooks came`);
  return differences.map(
    (key) => `${key}: ${wanted.get(key) ?? 0} in the log, ${came.get(key) ?? 0} webhooks came`,
  );
}
