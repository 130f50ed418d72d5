import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds in which a server may close its connections: one that is gone never does. */
const closingTimeout = 1_000;

export interface Sockets {
  /** For the setting `stream` of `pg`. */
  readonly create: () => Socket;
  /** Waits for all connections to end, though not for long: open ones are destroyed then. */
  readonly close: (ended: Promise<unknown>) => Promise<void>;
}

export function createSockets(): Sockets {
  const open = new Set<Socket>();
  return {
    create: () => {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    close: async (ended) => {
      await Promise.race([ended, wait(closingTimeout, undefined, { ref: false })]);
      for (const socket of open) socket.destroy();
      await ended;
    },
  };
}
