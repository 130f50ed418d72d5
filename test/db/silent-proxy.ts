import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before the PostgreSQL server that can fall silent: connections stay, and nothing comes through. */
export interface SilentProxy {
  /** The database, through this proxy. */
  readonly url: string;
  /**
   * Blocks all data on existing connections, or on those of the application with this name; new ones work as usual.
   */
  readonly silence: (named?: string) => void;
  /** As a host that is gone without a word: new connections get no answer either, until it is back. */
  readonly vanish: () => void;
  /** New connections work again. */
  readonly comeBack: () => void;
  /** How many packets clients have sent. */
  readonly packets: () => number;
  readonly close: () => Promise<void>;
}

interface Forwarded {
  isSilent: boolean;
  readonly sockets: readonly Socket[];
  /** The first data of the client, which name the application. */
  greeting: string;
}

/** @param database the URL of the database behind it. */
export async function openProxy(database: string): Promise<SilentProxy> {
  const target = new URL(database);
  const address = { host: target.hostname, port: Number(target.port || 5432) };
  const connections: Forwarded[] = [];
  let isGone = false;
  let packets = 0;
  const server = createServer((here) => {
    const sockets = isGone ? [here] : [here, connect(address)];
    for (const socket of sockets) socket.on('error', () => {});
    const connection: Forwarded = { isSilent: isGone, sockets, greeting: '' };
    connections.push(connection);
    const [, there] = sockets;
    if (!there) return;
    there.once('close', () => connection.isSilent || here.destroy());
    here.once('data', (data: Buffer) => {
      connection.greeting = data.toString('latin1');
    });
    here.on('data', () => {
      packets += 1;
    });
    here.pipe(there).pipe(here);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const silence = (named = ''): void => {
    for (const connection of connections)
      if (connection.greeting.includes(named)) {
        connection.isSilent = true;
        for (const socket of connection.sockets) socket.unpipe();
      }
  };
  return {
    url: url.href,
    silence,
    vanish: () => {
      isGone = true;
      silence();
    },
    comeBack: () => {
      isGone = false;
    },
    packets: () => packets,
    close: async () => {
      // Those that are silent would never be done.
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
