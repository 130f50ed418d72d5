import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { AnnouncementReceiver, OtherProcesses } from './announcements.ts';
import { coalesced } from './coalesced.ts';
import { connectionTimeout } from './database.ts';
import { inTime, NoAnswer } from './in-time.ts';

const channel = 'quire';

/** Milliseconds between two tests of the connection, and for which an answer proves that it works. */
const testInterval = 2_000;
const trust = 5_000;

/** Milliseconds without an answer after which the server counts as silent. */
const silenceLimit = 10_000;

/** Milliseconds that a read waits to learn whether all announcements have arrived. */
const arrivalTime = 1_000;

/** Milliseconds between two attempts to connect: doubled after each. */
const retryDelay = { first: 100, longest: 5_000 };

interface Notifications {
  /** The SQL that announces topics, at once or with its transaction; a detail follows its topic. */
  statement(topics: Iterable<string>): string;
  /** Begins to listen, on a connection of its own, which is replaced whenever it breaks. */
  readonly listen: OtherProcesses['listen'];
  close(): Promise<void>;
}

const disconnected = (client: pg.Client): Promise<void> =>
  new Promise((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });

interface Connecting {
  readonly Client: typeof pg.Client;
  /** Called when the server does not answer, before the connection is replaced. */
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

  /** @returns until when the answer proves that announcements arrive. */
  async function ask(client: pg.Client, text: string): Promise<number> {
    const asked = performance.now();
    await inTime(client.query(text), silenceLimit).catch((error: unknown) => {
      if (error instanceof NoAnswer) onSilence();
      throw error;
    });
    return asked + trust;
  }

  async function listenOnce(
    { onTopic, onGap }: AnnouncementReceiver,
    onConnected: () => void,
  ): Promise<void> {
    const client = new Client({
      ...settings,
      application_name: 'quire announcements',
      connectionTimeoutMillis: connectionTimeout,
    });
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
      const proven = await ask(client, `LISTEN ${channel}`);
      onGap(); // announcements before LISTEN were not received
      onConnected();
      connectedUntil = proven;
      while (!closing.signal.aborted) {
        const isBroken = await Promise.race([
          broken.then(() => true),
          wait(testInterval, false, { ref: false }),
        ]);
        if (isBroken) return;
        connectedUntil = await ask(client, 'SELECT 1');
      }
    } finally {
      connectedUntil = 0;
      await Promise.race([client.end(), wait(silenceLimit, undefined, { ref: false })]);
    }
  }

  const isConnected = (): boolean => performance.now() < connectedUntil;

  /**
   * PostgreSQL signals the sessions that listen before it answers NOTIFY, and a session sends what it was
   * signalled before it reports that it is ready again. So the answer to an empty statement follows all
   * announcements that were made before. It is no statement for PostgreSQL either, which neither plans nor
   * counts it.
   */
  const arrivals = coalesced(async () => {
    if (!isConnected() || !current) return false;
    return inTime(current.query(''), arrivalTime).then(
      () => true,
      () => false,
    );
  });

  async function listenOn(receiver: AnnouncementReceiver): Promise<void> {
    let delay = retryDelay.first;
    while (!closing.signal.aborted) {
      // The reason is not logged: requests fail for the same one, and nothing is cached meanwhile.
      await listenOnce(receiver, () => {
        delay = retryDelay.first;
      }).catch(() => {});
      await wait(delay, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      delay = Math.min(2 * delay, retryDelay.longest);
    }
  }

  return {
    statement: (topics) =>
      [...topics].map((topic) => `NOTIFY ${channel}, ${pg.escapeLiteral(`${self} ${topic}`)}`).join('; '),
    listen: (receiver) => {
      running ??= listenOn(receiver);
      return { isConnected, arrived: arrivals.ask };
    },
    close: async () => {
      closing.abort();
      await current?.end().catch(() => {});
      await running;
    },
  };
}
