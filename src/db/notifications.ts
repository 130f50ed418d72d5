import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inTime, NoAnswer } from '../event-loop.ts';
import type { AnnouncementReceiver, OtherProcesses } from './announcements.ts';
import { coalesced } from './coalesced.ts';
import { connectionTimeout } from './database.ts';

const channel = 'quire';

/** The interval between two connection tests, in milliseconds. */
const testInterval = 2_000;

/** How long a response counts as proof that the connection works, in milliseconds. */
const trust = 5_000;

/** The time without a response after which the server is considered unresponsive, in milliseconds. */
const silenceLimit = 10_000;

/** How long a read waits to find out whether all announcements have arrived, in milliseconds. */
const arrivalTimeout = 1_000;

/** The delay between two connection attempts, in milliseconds. It doubles after each attempt, up to `longest`. */
const retryDelay = { first: 100, longest: 5_000 };

/**
 * The names of the connections on which servers listen. A server that writes the search index with another word analysis
 * has another name. In Quire 0.2, the name was the beginning alone.
 */
export const listenerName = {
  beginning: 'quire announcements',
  of: (analysisKey: string) => `quire announcements ${analysisKey}`,
};

interface Notifications {
  /** Returns SQL that announces the topics when its transaction commits. Each topic can be followed by a detail. */
  statement(topics: Iterable<string>): string;
  /** Starts to listen on a dedicated connection, which is replaced whenever it breaks. */
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
  /** The name of the connection that listens; see `listenerName`. */
  readonly name: string;
  /** Called before the connection is replaced because the server is not responding. */
  readonly onSilence: () => void;
}

/** Sends and receives announcements through NOTIFY and LISTEN. */
export function createNotifications(
  { Client, name, onSilence }: Connecting,
  settings: pg.ClientConfig,
): Notifications {
  /**
   * Identifies this process in announcements, so that it can ignore its own: PostgreSQL also delivers a NOTIFY to its
   * sender.
   */
  const self = randomUUID();
  const closing = new AbortController();
  let connectedUntil = 0;
  let current: pg.Client | undefined;
  let running: Promise<void> | undefined;

  /**
   * Sends a statement to test the connection.
   * @returns the time until which the response counts as proof that the connection works
   */
  async function ask(client: pg.Client, text: string): Promise<number> {
    const sentAt = performance.now();
    await inTime(client.query(text), silenceLimit).catch((error: unknown) => {
      if (error instanceof NoAnswer) onSilence();
      throw error;
    });
    return sentAt + trust;
  }

  async function listenOnce(
    { onTopic, onGap }: AnnouncementReceiver,
    onConnected: () => void,
  ): Promise<void> {
    const client = new Client({
      ...settings,
      application_name: name,
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
      onGap(); // announcements sent before LISTEN were not received
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
   * Checks that all earlier announcements have arrived. PostgreSQL signals listening sessions before it responds to
   * NOTIFY, and a session sends its pending notifications before it reports that it is ready for the next query. The
   * response to an empty query therefore arrives after all announcements made before that query. PostgreSQL neither
   * plans nor counts an empty query.
   */
  const arrivals = coalesced(async () => {
    if (!isConnected() || !current) return false;
    return inTime(current.query(''), arrivalTimeout).then(
      () => true,
      () => false,
    );
  });

  async function listenOn(receiver: AnnouncementReceiver): Promise<void> {
    let delay = retryDelay.first;
    while (!closing.signal.aborted) {
      // The error is not logged, because requests fail with the same error. Nothing is cached until the connection
      // works again.
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
