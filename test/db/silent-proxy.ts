import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before the PostgreSQL server that can fall silent: connections stay, and nothing comes through. */
export interface SilentProxy {
  /** The database, through this proxy. */
  readonly url: string;
  /** Blocks all data on existing connections; new ones work as usual. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
}

/** @param database the URL of the database behind it. */
export async function openProxy(database: string): Promise<SilentProxy> {
  const target = new URL(database);
  const there = { host: target.hostname, port: Number(target.port || 5432) };
  const sockets = new Set<Socket>();
  const server = createServer((here) => {
    const on = connect(there);
    for (const socket of [here, on]) sockets.add(socket.on('error', () => {}));
    here.pipe(on).pipe(here);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy(); // those that are silent would never be done
      server.close();
      await once(server, 'close');
    },
  };
}
