import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { AnnouncementReceiver } from './announcements.ts';
import { connectionTimeout } from './database.ts';

const channel = 'quire';

/** Milliseconds between two tests of the connection, and after a test while it counts as connected. */
const testInterval = 2_000;
const silenceLimit = 10_000;

/** Milliseconds between two attempts to connect: doubled after each. */
const retryDelay = { first: 100, longest: 5_000 };

export interface Notifications {
  /** The SQL that announces topics, at once or with its transaction; a detail follows its topic. */
  statement(topics: Iterable<string>): string;
  /** Begins to listen, on a connection of its own, which is replaced whenever it breaks. */
  listen(receiver: AnnouncementReceiver): { isConnected: () => boolean };
  close(): Promise<void>;
}

const disconnected = (client: pg.Client): Promise<void> =>
  new Promise((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });

interface Connecting {
  readonly Client: typeof pg.Client;
  /** Called before a connection that is silent is replaced. */
  readonly onSilence: () => void;
}

export function createNotifications(
  { Client, onSilence }: Connecting,
  settings: pg.ClientConfig,
): Notifications {
  /** Sent with each announcement: NOTIFY comes back to its sender, which has followed it already. */
  const self = randomUUID();
  const closing = new AbortController();
  let connectedUntil = 0;
  let current: pg.Client | undefined;
  let running: Promise<void> | undefined;

  async function listenOnce(
    { onTopic, onGap }: AnnouncementReceiver,
    onConnected: () => void,
  ): Promise<void> {
    const options = {
      connectionTimeoutMillis: connectionTimeout,
      query_timeout: silenceLimit,
      keepAlive: true,
    };
    const client = new Client({ ...settings, application_name: 'quire announcements', ...options });
    const broken = disconnected(client);
    void broken.then(() => {
      connectedUntil = 0;
    });
    client.on('notification', ({ payload = '' }) => {
      const [from, topic = '', detail] = payload.split(' ');
      if (from !== self) onTopic(topic, detail);
    });
    current = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      onGap(); // announcements before LISTEN were not received
      onConnected();
      while (!closing.signal.aborted) {
        connectedUntil = performance.now() + silenceLimit;
        const isBroken = await Promise.race([
          broken.then(() => true),
          wait(testInterval, false, { ref: false }),
        ]);
        if (isBroken) return;
        await client.query('SELECT 1');
      }
    } finally {
      connectedUntil = 0;
      await Promise.race([client.end(), wait(silenceLimit, undefined, { ref: false })]);
    }
  }

  async function listenOn(receiver: AnnouncementReceiver): Promise<void> {
    let delay = retryDelay.first;
    while (!closing.signal.aborted) {
      // The reason is not logged: requests fail for the same one, and nothing is cached meanwhile.
      await listenOnce(receiver, () => {
        delay = retryDelay.first;
      }).catch(onSilence);
      await wait(delay, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      delay = Math.min(2 * delay, retryDelay.longest);
    }
  }

  return {
    statement: (topics) =>
      [...topics].map((topic) => `NOTIFY ${channel}, ${pg.escapeLiteral(`${self} ${topic}`)}`).join('; '),
    listen: (receiver) => {
      running ??= listenOn(receiver);
      return { isConnected: () => performance.now() < connectedUntil };
    },
    close: async () => {
      closing.abort();
      await current?.end().catch(() => {});
      await running;
    },
  };
}
