import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Unavailable } from '../errors.ts';

/** Listens for a moment. @returns the port, undefined when it is in use. @param port 0 for any free one. */
async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function portBefore(addressFile: string): number {
  try {
    return Number(new URL(readFileSync(addressFile, 'utf8').trim()).port);
  } catch {
    return 0; // it starts for the first time
  }
}

export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port !== undefined) return port;
  throw new Unavailable('there is no free port on 127.0.0.1');
}

/**
 * The port of the database: that of the setting; else the one of the last start, since tools may have kept
 * its address; else a free one.
 * @throws Unavailable when the port of the setting is in use.
 */
export async function choosePort(addressFile: string, wished: string): Promise<number> {
  if (wished !== '') {
    const port = await tryPort(Number(wished));
    if (port !== undefined) return port;
    throw new Unavailable(`port ${wished} of 127.0.0.1 is in use: set another EMBEDDED_PORT`);
  }
  return (await tryPort(portBefore(addressFile))) ?? freePort();
}
