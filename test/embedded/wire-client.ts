import { once } from 'node:events';
import { connect } from 'node:net';

/** A message of the wire protocol of PostgreSQL. */
export function message(type: string, content = ''): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${content}`);
  bytes.writeInt32BE(bytes.length - type.length, type.length);
  return bytes;
}

/** The first message of a connection. */
export const startup = message('', '\0\x03\0\0user\0anybody\0\0');

/** A connection that sends given messages and collects the received bytes. */
export async function rawClient(port: number, ...first: Buffer[]) {
  const stream = connect(port, '127.0.0.1');
  let got = '';
  stream.on('error', () => {});
  stream.on('data', (data) => {
    got += data.toString('latin1');
  });
  stream.write(Buffer.concat(first));
  const received = async (wanted: string) => {
    while (!got.includes(wanted)) await once(stream, 'data');
    got = '';
  };
  return { stream, received };
}
