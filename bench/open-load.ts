import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuTime, type Running } from './processes.ts';

/** A request that is ready to be sent. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The credentials of this request, if they differ from the load's credentials. */
  readonly authorization?: string;
}

export interface Load {
  /** The URL of the server, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly authorization: string;
  readonly seconds: number;
  /**
   * Either a fixed rate of requests per second, or a number of connections that each send a request as soon as the
   * previous response has arrived.
   */
  readonly pace: { readonly rate: number } | { readonly connections: number };
  /**
   * For a fixed rate: the number of clients, each with a separate connection. If all of them are waiting for a
   * response, the next request is skipped.
   */
  readonly clients?: number;
  /** The local address from which the requests are sent. */
  readonly from?: string;
  /** Returns the next request. */
  readonly next: () => Sent;
  /** Called when all connections are open and the load starts. */
  readonly onStart?: () => void;
  /**
   * Called after each request with the response time in milliseconds and the status of the response, or 0 if there was
   * no response.
   */
  readonly onAnswer?: (status: number, milliseconds: number) => void;
}

/** The result of one load. */
export interface Result {
  /** The number of 2xx responses per second that arrived while the load was running. */
  readonly goodput: number;
  /** The median time of the 2xx responses, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The number of responses with each status; 0 stands for requests whose connection broke. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The number of requests that were not sent because no connection was free. */
  readonly unsent: number;
}

/** How long to wait for remaining responses after the load, in milliseconds. */
const answerTimeout = 15_000;

/** Returns the value below which the given fraction of the sorted values lies. */
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/**
 * Reads the status and length of the response at the start of a buffer. Returns undefined if the response is
 * incomplete.
 */
function readAnswer(buffer: Buffer): { readonly status: number; readonly length: number } | undefined {
  const end = buffer.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = buffer.toString('latin1', 0, end);
  if (/\r\ntransfer-encoding:/i.test(head))
    throw new Error('the response is chunked, which this client does not support');
  const length = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return buffer.length < length ? undefined : { status: Number(head.slice(9, 12)), length };
}

/** A keep-alive connection that has at most one request in progress. */
class Line {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #onAnswer: ((status: number) => void) | undefined;

  constructor({ url, from }: Load) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      ...(from && { localAddress: from }),
    });
    this.#socket.on('data', (chunk) => {
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      const answer = readAnswer(this.#buffer);
      if (!answer) return;
      this.#buffer = this.#buffer.subarray(answer.length);
      this.#answer(answer.status);
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#answer(0));
  }

  async connected(): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect');
  }

  #answer(status: number): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(status);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Sends a request. Calls `onAnswer` with the status of the response, or with 0 if there is no response. */
  send({ method, path, body, authorization }: Sent, onAnswer: (status: number) => void): void {
    this.#onAnswer = onAnswer;
    const content = body
      ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      : '';
    const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n${content}\r\n`;
    this.#socket.write(head + (body ?? ''));
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * Counts all responses, and records the response times in milliseconds of successful responses that arrive in time.
 */
function tally(end: number) {
  let inTime = 0;
  const statuses = new Map<number, number>();
  const times: number[] = [];
  return {
    statuses,
    inTime: () => inTime,
    add: (status: number, time: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status < 200 || status >= 300) return;
      times.push(time);
      if (performance.now() < end) inTime += 1;
    },
    sorted: () => times.sort((a, b) => a - b),
  };
}

/**
 * Opens connections. Hands out the connection that has been idle the longest, and replaces broken connections.
 */
async function openLines(load: Load, count: number) {
  const open = (): Line => new Line(load);
  const free = Array.from({ length: count }, open);
  await Promise.all(free.map((line) => line.connected()));
  const all = new Set(free);
  return {
    take: (): Line | undefined => {
      const line = free.shift();
      if (!line || line.isOpen) return line;
      all.delete(line);
      const other = open();
      all.add(other);
      return other;
    },
    giveBack: (line: Line) => void free.push(line),
    close: () => {
      for (const line of all) line.close();
    },
  };
}

/**
 * Puts load on a server over raw connections, which need so little CPU time that the server is the bottleneck.
 * @throws Error if the server cannot be reached
 */
export async function drive(load: Load): Promise<Result> {
  const { seconds, pace, authorization, next, onAnswer, clients = 1_000 } = load;
  const { take, giveBack, close } = await openLines(load, 'rate' in pace ? clients : pace.connections);
  load.onStart?.();
  const start = performance.now();
  const end = start + seconds * 1000;
  const { statuses, add, inTime, sorted } = tally(end);
  let [sent, underWay, unsent] = [0, 0, 0];

  const send = (onAnswered: () => void): void => {
    const line = take();
    if (!line) {
      unsent += 1;
      return;
    }
    const began = performance.now();
    underWay += 1;
    line.send({ authorization, ...next() }, (status) => {
      const took = performance.now() - began;
      underWay -= 1;
      giveBack(line);
      add(status, took);
      onAnswer?.(status, took);
      onAnswered();
    });
  };
  const again = (): void => {
    if (performance.now() < end) send(again);
  };
  if ('connections' in pace) for (let index = 0; index < pace.connections; index += 1) again();

  for (let now = start; now < end || (underWay > 0 && now < end + answerTimeout); now = performance.now()) {
    if ('rate' in pace) {
      const due = (Math.min(now, end) - start) * (pace.rate / 1000);
      for (; sent < due; sent += 1) send(() => {});
    }
    await wait(2);
  }
  close();
  const times = sorted();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { goodput: inTime() / seconds, p50, p99, statuses, unsent };
}

/**
 * Reads from a server with a number of connections at once.
 * @returns the requests per second, and the CPU time of the server per request in microseconds
 * @throws Error for a status other than 200 and 503
 */
export async function readFor(
  { url, pid }: Running,
  options: Pick<Parameters<typeof drive>[0], 'authorization' | 'seconds' | 'next'> & {
    readonly connections: number;
  },
): Promise<{ readonly goodput: number; readonly cpu: number }> {
  const { connections, ...load } = options;
  const before = await cpuTime(pid);
  const { goodput, statuses } = await drive({ ...load, url, pace: { connections } });
  const after = await cpuTime(pid);
  const wrong = [...statuses.keys()].filter((status) => status !== 200 && status !== 503);
  if (wrong.length > 0) throw new Error(`the readers received the statuses ${wrong.join(', ')}`);
  const used = (after ?? Number.NaN) - (before ?? Number.NaN);
  return { goodput, cpu: (used * 1000) / (goodput * load.seconds) };
}
