import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { authorization } from '../../support/administrator.ts';

/** A connection, and the bytes received so far. */
export interface Line {
  readonly socket: Socket;
  readonly received: () => Buffer;
  /** Resolves once the server has closed it, with how long that took, in milliseconds. */
  readonly closed: Promise<number>;
}

/** Opens a connection to the server and writes to it. */
export async function open(port: number, ...parts: ReadonlyArray<string | Buffer>): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  const since = performance.now();
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => {}); // closing is what is waited for, however it comes
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(performance.now() - since));
    socket.once('end', () => socket.end());
  });
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  return { socket, received: () => Buffer.concat(received), closed };
}

/** Sends a request, and reads the answer in small pieces with pauses; returns the number of bytes. */
export async function sip(port: number, request: string, milliseconds: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  let length = 0;
  for await (const chunk of socket) {
    length += (chunk as Buffer).length;
    await wait(milliseconds);
  }
  return length;
}

/** Writes a text byte by byte, until the connection is closed. */
export async function trickle({ socket }: Line, text: string, milliseconds: number): Promise<void> {
  for (const character of text) {
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(character);
    await wait(milliseconds);
  }
}

/** The head of a valid request of the stock administrator. */
export const head = (method: string, path: string, length = 0): string =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: h',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

/** The body that creates a file. */
export const file = (name: string, properties = {}): string =>
  JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties });

/** The statuses of the received answers, in order. */
export const statusesIn = (bytes: Buffer): number[] =>
  [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
