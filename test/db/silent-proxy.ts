import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL that can stop forwarding data while connections stay open. */
export interface SilentProxy {
  /** The URL of the database through this proxy. */
  readonly url: string;
  /**
   * Blocks all data on existing connections, or on those of the application with this name; new ones work as usual.
   */
  readonly silence: (named?: string) => void;
  /** Behaves like a host that has vanished: new connections get no answer either, until `comeBack` is called. */
  readonly vanish: () => void;
  /** Lets new connections work again. */
  readonly comeBack: () => void;
  /** The number of packets that clients have sent. */
  readonly packets: () => number;
  readonly close: () => Promise<void>;
}

interface Forwarded {
  isSilent: boolean;
  readonly sockets: readonly Socket[];
  /** The first data from the client, which contains the name of the application. */
  greeting: string;
}

/** Starts a proxy. @param database the URL of the database behind it. */
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
      // Blocked connections would never end by themselves.
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
