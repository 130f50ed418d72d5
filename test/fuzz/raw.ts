import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** An answer as it was received. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Without transfer and content encodings. */
  readonly body: Buffer;
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (end < 0 || Number.isNaN(size)) throw new Error('the answer is cut off between two chunks');
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Parses the bytes of one answer. @throws Error when they are invalid. */
export function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(first) ?? [];
  if (end < 0 || !status) throw new Error(`no answer: ${bytes.toString('latin1', 0, 200)}`);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const sent = bytes.subarray(end + 4);
  const whole = headers.get('transfer-encoding') === 'chunked' && sent.length > 0 ? unchunked(sent) : sent;
  const decode = decoders[headers.get('content-encoding') ?? ''];
  return { status: Number(status), headers, body: decode && whole.length > 0 ? decode(whole) : whole };
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Sends bytes, and returns everything received until the server closes the connection. */
export function exchange(port: number, bytes: Buffer, milliseconds = 30_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const isHead = bytes.toString('latin1', 0, 5) === 'HEAD ';
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer within ${milliseconds} ms`));
    }, milliseconds);
    socket.on('data', (chunk) => {
      received.push(chunk);
      // Streams of GraphQL keep the connection, whatever was asked.
      const end = isHead ? headEnd : lastChunk;
      if (chunk.subarray(-end.length).equals(end)) socket.destroy();
    });
    // A server that refuses a body may close early: its answer is what was received before.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(received));
    });
    socket.write(bytes);
  });
}
