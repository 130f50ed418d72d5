import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Ear } from './announcements.ts';
import { connectionWait } from './database.ts';

const channel = 'quire';

/** How often the line is tried, in milliseconds, and how long after a trial that went well it counts as sound. */
const beat = 2_000;
const patience = 10_000;

/** Between two attempts to connect, in milliseconds. */
const pause = { first: 100, most: 5_000 };

/** Word between the processes on one PostgreSQL server, by its NOTIFY and LISTEN. */
export interface Notifications {
  /** The statement that tells topics; within a transaction, others hear of it when that is committed. */
  statement(topics: Iterable<string>): string;
  /** Begins to listen, on a connection of its own, which is made again whenever it breaks. */
  listen(ear: Ear): { isHearing: () => boolean };
  close(): Promise<void>;
}

/** Resolves once the connection is no more. */
const brokenOff = (client: pg.Client): Promise<void> =>
  new Promise((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });

export function createNotifications(settings: pg.ClientConfig): Notifications {
  /** Who we are: what this process says is no news to it. */
  const self = randomUUID();
  const closing = new AbortController();
  let soundUntil = 0;
  let current: pg.Client | undefined;
  let running: Promise<void> | undefined;

  /** Listens until the connection breaks, or is closed. */
  async function listenOnce({ heard, missed }: Ear, whenSound: () => void): Promise<void> {
    const options = { connectionTimeoutMillis: connectionWait, query_timeout: patience, keepAlive: true };
    const client = new pg.Client({ ...settings, application_name: 'quire announcements', ...options });
    const broken = brokenOff(client);
    void broken.then(() => {
      soundUntil = 0;
    });
    client.on('notification', ({ payload = '' }) => {
      const [from, topic = ''] = payload.split(' ');
      if (from !== self) heard(topic);
    });
    current = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      missed(); // whatever was said while we did not listen
      whenSound();
      while (!closing.signal.aborted) {
        soundUntil = performance.now() + patience;
        const isBroken = await Promise.race([broken.then(() => true), wait(beat, false, { ref: false })]);
        if (isBroken) return;
        await client.query('SELECT 1');
      }
    } finally {
      soundUntil = 0;
      await Promise.race([client.end(), wait(patience, undefined, { ref: false })]);
    }
  }

  async function listenOn(ear: Ear): Promise<void> {
    let delay = pause.first;
    while (!closing.signal.aborted) {
      // Why it broke is not said: nothing is remembered meanwhile, and requests tell what is wrong with the server.
      await listenOnce(ear, () => {
        delay = pause.first;
      }).catch(() => {});
      await wait(delay, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      delay = Math.min(2 * delay, pause.most);
    }
  }

  return {
    statement: (topics) =>
      [...topics].map((topic) => `NOTIFY ${channel}, ${pg.escapeLiteral(`${self} ${topic}`)}`).join('; '),
    listen: (ear) => {
      running ??= listenOn(ear);
      return { isHearing: () => performance.now() < soundUntil };
    },
    close: async () => {
      closing.abort();
      await current?.end().catch(() => {});
      await running;
    },
  };
}
