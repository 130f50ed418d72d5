import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import pg from 'pg';
import { isTurnOver, yieldToEventLoop, yieldWhenOver } from '../../event-loop.ts';

/**
 * The row size in bytes above which a row is not passed to the parser of `pg`. It equals the maximum number of bytes
 * that Node reads from a socket at a time.
 */
const large = 2 ** 16;

/**
 * The size of a full TLS record, in bytes. After a chunk of at least this size, more data has probably arrived already.
 */
const full = 2 ** 14;

/** The header of a PostgreSQL message: a code byte, followed by the length of the message without that byte. */
const header = { bytes: 5, dataRow: 'D'.charCodeAt(0) };

/**
 * Reuses the buffers of rows that were parsed or refused. Otherwise, V8 would run a full garbage collection, which
 * takes about 100 ms, after every 64 MB of newly allocated buffers.
 */
class RowBuffers {
  static readonly #maxBytes = 2 ** 27;
  /** The time without a large row, in milliseconds, after which the buffers are freed. */
  static readonly #maxIdle = 10_000;
  readonly #free = new Map<number, Buffer[]>();
  #bytes = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Returns a buffer with at least the given number of bytes, and at most twice that number. */
  take(bytes: number): Buffer {
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const known = this.#free.get(size)?.pop();
    if (!known) return Buffer.allocUnsafeSlow(size);
    this.#bytes -= size;
    return known;
  }

  /** Returns a buffer to the pool. The caller must not use it afterwards. */
  giveBack(buffer: Buffer): void {
    const { length } = buffer;
    if (this.#bytes + length > RowBuffers.#maxBytes) return;
    this.#bytes += length;
    const others = this.#free.get(length);
    if (others) others.push(buffer);
    else this.#free.set(length, [buffer]);
    this.#idle ??= setTimeout(() => this.#drop(), RowBuffers.#maxIdle).unref();
    this.#idle.refresh();
  }

  #drop(): void {
    this.#idle = undefined;
    this.#free.clear();
    this.#bytes = 0;
  }
}

const buffers = new RowBuffers();

/**
 * The bytes of a row as PostgreSQL sent them, so that the row can be decoded and parsed later. Decoding and parsing
 * take about 3 ms per megabyte.
 */
export class LargeRow {
  /** The length of the message in bytes, as `pg` counts it. */
  readonly length: number;
  #bytes: Buffer | undefined;

  constructor(length: number, bytes: Buffer) {
    this.length = length;
    this.#bytes = bytes;
  }

  /** Frees the bytes of the row. */
  drop(): void {
    if (this.#bytes) buffers.giveBack(this.#bytes);
    this.#bytes = undefined;
  }

  get fields(): (string | null)[] {
    const bytes = this.#bytes;
    if (!bytes) throw new Error('The row was dropped.');
    let at = 2;
    return Array.from({ length: bytes.readUInt16BE(0) }, () => {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) return null;
      at += length;
      return bytes.toString('utf8', at - length, at);
    });
  }
}

/** A query that decides whether each of its large rows is read. */
interface LargeRowQuery {
  /** Whether to read a row with the given number of bytes. If not, its bytes are skipped. */
  acceptsRow?(bytes: number): boolean;
}

/** The undocumented members of a `pg` client; see internals.ts. */
interface ReadingClient {
  readonly connection: {
    attachListeners(stream: Readable): void;
    emit(event: 'dataRow', row: LargeRow): void;
  };
  _getActiveQuery(): LargeRowQuery | null;
}

type Feed = (bytes: Buffer) => void;

/**
 * Separates large rows from the other bytes that a server sends, and passes everything else to the parser of `pg`.
 *
 * It follows the message lengths in the headers. As soon as the header of a large row has arrived, the query decides
 * whether to read it. An accepted row is collected in a separate buffer and parsed later, taking turns with other work;
 * a refused row is skipped without being stored.
 */
class RowReader {
  readonly #client: ReadingClient;
  readonly #feed: Feed;
  #cutHeader: Buffer | undefined;
  /** The number of bytes of the current message that have not arrived yet. */
  #missing = 0;
  #row: Buffer | undefined;
  /** The length in bytes of the message that contains the row. */
  #length = 0;
  /** How the bytes of the current message are processed. */
  #use: 'fed' | 'collected' | 'skipped' = 'fed';

  constructor(client: ReadingClient, feed: Feed) {
    this.#client = client;
    this.#feed = feed;
  }

  read(chunk: Buffer): void {
    const bytes = this.#cutHeader ? Buffer.concat([this.#cutHeader, chunk]) : chunk;
    this.#cutHeader = undefined;
    let at = Math.min(this.#missing, bytes.length);
    const from = this.#use === 'fed' ? 0 : at;
    if (at > 0) this.#process(bytes, at);
    while (at + header.bytes <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) {
        this.#missing = end - bytes.length;
        if (bytes[at] === header.dataRow && end - at > large) {
          this.#feedSome(bytes, from, at);
          this.#beginRow(bytes.subarray(at), end - at);
          return;
        }
        this.#use = 'fed';
        at = bytes.length;
      } else at = end;
    }
    if (at < bytes.length) this.#cutHeader = bytes.subarray(at);
    this.#feedSome(bytes, from, at);
  }

  #feedSome(bytes: Buffer, from: number, to: number): void {
    if (from < to) this.#feed(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
  }

  #beginRow(bytes: Buffer, length: number): void {
    const isAccepted = this.#client._getActiveQuery()?.acceptsRow?.(length - 1) ?? true;
    this.#use = isAccepted ? 'collected' : 'skipped';
    if (!isAccepted) return;
    this.#length = length;
    this.#row = buffers.take(length - header.bytes);
    bytes.copy(this.#row, 0, header.bytes);
  }

  /** Processes the next bytes of the current message. */
  #process(bytes: Buffer, count: number): void {
    const row = this.#row;
    if (row) bytes.copy(row, this.#length - header.bytes - this.#missing, 0, count);
    this.#missing -= count;
    if (this.#missing > 0 || !row) return;
    this.#row = undefined;
    this.#client.connection.emit('dataRow', new LargeRow(this.#length - 1, row));
  }
}

/** Pauses a stream until the next turn of the event loop if the current turn has already exceeded its time limit. */
function pauseWhenOver(stream: Readable): void {
  if (!isTurnOver()) return;
  stream.pause();
  void yieldToEventLoop().then(() => stream.resume());
}

/**
 * A client that asks the query whether to read a large row as soon as the row's header has arrived, and that parses the
 * row later. `pg` itself would block the event loop until it has parsed everything that has arrived.
 */
export class LargeRowClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const client = this as unknown as ReadingClient;
    const { connection } = client;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      let feed: Feed = () => {};
      const on = (event: string, listener: Feed): unknown => {
        if (event === 'data') feed = listener;
        else stream.on(event, listener);
        return on;
      };
      attach({ on } as unknown as Readable);
      const reader = new RowReader(client, (bytes) => feed(bytes));
      stream.on('data', (chunk: Buffer) => {
        reader.read(chunk);
        if (chunk.length >= full) pauseWhenOver(stream);
      });
    };
  }
}

const oneAtATime = pLimit(1);

/** Parses the large rows of all connections one after the other, yielding to other requests in between. */
export const inTurn = <T>(parse: () => T): Promise<T> =>
  oneAtATime(async () => {
    await yieldWhenOver();
    return parse();
  });
