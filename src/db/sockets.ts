import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A server has so many milliseconds to answer a goodbye: one that has fallen silent never does. */
const goodbye = 1_000;

/** The connections to a server, down to what carries them. */
export interface Sockets {
  /** Makes one, for the setting `stream` of `pg`. */
  readonly create: () => Socket;
  /** Waits for all to end as they should, though not for long: what is open then is cut off. */
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
      await Promise.race([ended, wait(goodbye, undefined, { ref: false })]);
      for (const socket of open) socket.destroy();
      await ended;
    },
  };
}
