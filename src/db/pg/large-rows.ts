import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import pg from 'pg';
import { isTurnOver, yieldToEventLoop, yieldWhenOver } from '../../event-loop.ts';

/** Bytes above which a row is not passed to the parser of `pg`. Node reads so many from a socket at once. */
const large = 2 ** 16;

/** Bytes of a chunk from which more is likely to have arrived already: those of TLS have no more. */
const full = 2 ** 14;

/** Of a message of PostgreSQL: its code, and its length without the code. */
const header = { bytes: 5, dataRow: 'D'.charCodeAt(0) };

/**
 * Buffers of rows that were parsed or refused, for the next ones: V8 would collect all garbage, which takes some 100 ms,
 * whenever 64 MB of new ones were made.
 */
class RowBuffers {
  static readonly #maxBytes = 2 ** 27;
  /** Milliseconds without a large row after which they are dropped. */
  static readonly #maxIdle = 10_000;
  readonly #free = new Map<number, Buffer[]>();
  #bytes = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @returns a buffer of at least so many bytes, up to twice as many. */
  take(bytes: number): Buffer {
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const known = this.#free.get(size)?.pop();
    if (!known) return Buffer.allocUnsafeSlow(size);
    this.#bytes -= size;
    return known;
  }

  /** Whoever gives a buffer back must not use it any more. */
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

/** A row as PostgreSQL has sent it. Decoding and parsing it takes some 3 ms for each megabyte. */
export class LargeRow {
  /** Bytes of the message, as `pg` counts them. */
  readonly length: number;
  #bytes: Buffer | undefined;

  constructor(length: number, bytes: Buffer) {
    this.length = length;
    this.#bytes = bytes;
  }

  /** Its bytes are not needed any more. */
  drop(): void {
    if (this.#bytes) buffers.giveBack(this.#bytes);
    this.#bytes = undefined;
  }

  get fields(): (string | null)[] {
    const bytes = this.#bytes;
    if (!bytes) throw new Error('the row was dropped');
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

/** What a query does with its large rows. */
interface LargeRowQuery {
  /** @returns whether the row of so many bytes is read; if not, its bytes are skipped. */
  acceptsRow?(bytes: number): boolean;
}

/** As `pg` does not describe it: see internals.ts. */
interface ReadingClient {
  readonly connection: {
    attachListeners(stream: Readable): void;
    emit(event: 'dataRow', row: LargeRow): void;
  };
  _getActiveQuery(): LargeRowQuery | null;
}

type Feed = (bytes: Buffer) => void;

/** Takes large rows out of what a server sends, and passes the rest on to the parser of `pg`. */
class RowReader {
  readonly #client: ReadingClient;
  readonly #feed: Feed;
  #cutHeader: Buffer | undefined;
  /** Bytes of the last message that have not arrived. */
  #missing = 0;
  #row: Buffer | undefined;
  /** Bytes of the message of the row. */
  #length = 0;
  /** What becomes of the last message while it is incomplete. */
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
    if (at > 0) this.#goOn(bytes, at);
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

  /** Reads more of the last message. */
  #goOn(bytes: Buffer, count: number): void {
    const row = this.#row;
    if (row) bytes.copy(row, this.#length - header.bytes - this.#missing, 0, count);
    this.#missing -= count;
    if (this.#missing > 0 || !row) return;
    this.#row = undefined;
    this.#client.connection.emit('dataRow', new LargeRow(this.#length - 1, row));
  }
}

/** Ends the turn of the event loop where other connections and large rows have filled it. */
function pauseWhenOver(stream: Readable): void {
  if (!isTurnOver()) return;
  stream.pause();
  void yieldToEventLoop().then(() => stream.resume());
}

/**
 * A client that does not parse a large row when it arrives, and asks the query whether to read it as soon as its
 * header is there. `pg` alone would hold the event loop until it has parsed all that has arrived.
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

/** Parses large rows of all connections in turn, with other requests in between. */
export const inTurn = <T>(parse: () => T): Promise<T> =>
  oneAtATime(async () => {
    await yieldWhenOver();
    return parse();
  });
