import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Unavailable } from '../errors.ts';

/**
 * Tests whether a port is free by listening on it. @param port 0 for any free port.
 * @returns the port; undefined if it is in use.
 */
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

/** Returns the port that was used at the last start; 0 if the database has never been started. */
function lastPort(addressFile: string): number {
  try {
    return Number(new URL(readFileSync(addressFile, 'utf8').trim()).port);
  } catch {
    return 0; // the database is being started for the first time
  }
}

export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port !== undefined) return port;
  throw new Unavailable('There is no free port on 127.0.0.1.');
}

/**
 * Chooses the port of the database: the port in the setting; otherwise the port that was used at the last start,
 * because tools may have saved the address; otherwise any free port.
 * @throws Unavailable if the port in the setting is in use.
 */
export async function choosePort(addressFile: string, setting: string): Promise<number> {
  if (setting !== '') {
    const port = await tryPort(Number(setting));
    if (port !== undefined) return port;
    throw new Unavailable(`Port ${setting} of 127.0.0.1 is in use. Set EMBEDDED_PORT to another port.`);
  }
  return (await tryPort(lastPort(addressFile))) ?? freePort();
}
