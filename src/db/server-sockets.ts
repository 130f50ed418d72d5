import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds in which a server may close its connections: one that is gone never does. */
const closingTimeout = 1_000;

/** Milliseconds after which the system asks whether the server of an idle connection is still there. */
const keepAliveDelay = 10_000;

interface Sockets {
  /** For the setting `stream` of `pg`. */
  readonly create: () => Socket;
  readonly breakAll: () => void;
  /** Waits for all connections to end, though not for long: open ones are destroyed then. */
  readonly close: (ended: Promise<unknown>) => Promise<void>;
}

export function createSockets(): Sockets {
  const open = new Set<Socket>();
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    breakAll,
    create: () => {
      const socket = new Socket().setKeepAlive(true, keepAliveDelay);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    close: async (ended) => {
      await Promise.race([ended, wait(closingTimeout, undefined, { ref: false })]);
      breakAll();
      await ended;
    },
  };
}
