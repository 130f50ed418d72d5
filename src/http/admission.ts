import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { retryAfter } from '../errors.ts';
import { requestIdOf } from '../log.ts';
import { tooManyFailuresMessage } from '../security/login-attempts.ts';
import { exceptionOf, jsonType } from './errors.ts';

interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfter: number;
}

/**
 * Creates a function that rejects a request before it reaches the application, because rejections must remain cheap
 * under load.
 * @param headers the headers of every rejection
 */
function createRefuse(
  headers: Readonly<Record<string, string>>,
): (response: ServerResponse, refusal: HttpRefusal) => void {
  const usual = Object.entries({
    ...headers,
    'Content-Type': jsonType('exception'),
    'Cache-Control': 'no-store',
  }).flat();
  return (response, { status, message, retryAfter }) => {
    const requestId = requestIdOf(response.req);
    const body = JSON.stringify(exceptionOf(status, message, requestId));
    const own = ['Content-Length', Buffer.byteLength(body), 'Retry-After', retryAfter];
    response.writeHead(status, [...usual, ...own, 'X-Request-Id', requestId]);
    response.end(body);
  };
}

// The maximum number of concurrent requests per connection of the pool. With more requests, more objects would be alive
// at the same time, which makes garbage collection expensive. Writes have separate slots, so that writes that wait for
// row locks never block reads.
const slotsPerConnection = { reads: 5, writes: 10 };

const maxWait = 2_000; // milliseconds

/**
 * How often the queue is checked, in milliseconds. This is needed because a slot can become free without an event.
 */
const interval = 50;

/** The number of milliseconds after which a request whose client has disconnected no longer occupies a slot. */
const maxAbandonedWork = 10_000;

/**
 * The number of milliseconds by which responses to blocked credentials are delayed, to slow down password guessing.
 */
const guessDelay = 500;

/** The maximum estimated size of the queue in bytes: 16,000 requests without a body. */
const maxQueueBytes = 64_000_000;

/**
 * The estimated size of a waiting request in bytes: its header section, and the part of the body that Node buffers.
 */
const requestBytes = { head: 4_000, maxBody: 80_000 };

function bytesOf({ headers }: IncomingMessage): number {
  const { head, maxBody } = requestBytes;
  const body = headers['transfer-encoding'] ? maxBody : Number(headers['content-length'] ?? 0);
  return head + Math.min(body, maxBody);
}

const isAnswered = (response: ServerResponse): boolean => response.headersSent || response.writableEnded;

/**
 * Returns whether the client has disconnected. The socket is also checked, because a pipelined request does not emit
 * `close` until it is processed.
 */
const isAbandoned = (response: ServerResponse): boolean => response.closed || response.req.socket.destroyed;

/** Returns whether the client is waiting for the server, rather than the server for the rest of the body. */
const isOurTurn = ({ req }: ServerResponse): boolean => req.complete || !req.readableFlowing;

interface Entry {
  readonly response: ServerResponse;
  readonly since: number;
  next?: Entry | undefined;
}

const isLate = ({ since }: Entry): boolean => performance.now() - since > maxWait;

const isWorkedOn = ({ response, since }: Entry): boolean =>
  !isAnswered(response) && !(isAbandoned(response) && performance.now() - since > maxAbandonedWork);

function createGate(
  limit: number,
  admit: (response: ServerResponse) => void,
  refuse: (response: ServerResponse) => void,
  onWaited: (seconds: number) => void,
): (response: ServerResponse) => void {
  // An array and a linked list are used instead of a Map or a Set. If a Map or Set changes with every request, V8 keeps
  // its old hash tables and their entries until a full garbage collection.
  let working: Entry[] = [];
  let first: Entry | undefined;
  let last: Entry | undefined;
  let queuedBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const hasSlot = (): boolean => {
    if (working.length < limit) return true;
    working = working.filter(isWorkedOn);
    return working.filter(({ response }) => isOurTurn(response)).length < limit;
  };
  const enter = (response: ServerResponse): void => {
    const entry = { response, since: performance.now() };
    working.push(entry);
    response.once('close', () => {
      const index = working.indexOf(entry);
      if (index >= 0 && isAnswered(response)) working.splice(index, 1);
      drain(hasSlot, enter);
    });
    admit(response);
  };
  /**
   * Takes due requests from the front of the queue and passes them to `act`. Stops at the first request that is not
   * due.
   */
  const drain = (isDue: (entry: Entry) => boolean, act: (response: ServerResponse) => void): void => {
    while (first) {
      const { response, since, next }: Entry = first;
      const isGone = isAbandoned(response);
      if (!isGone && !isDue(first)) return;
      first.next = undefined; // A reference from an old object would promote the next entry to the old generation.
      first = next;
      queuedBytes -= bytesOf(response.req);
      if (isGone) continue;
      onWaited((performance.now() - since) / 1000);
      act(response);
    }
  };
  const checkQueue = (): void => {
    drain(hasSlot, enter);
    drain(isLate, refuse);
    timer = first ? setTimeout(checkQueue, interval).unref() : undefined;
  };

  return (response) => {
    if (!first && hasSlot()) return enter(response);
    const bytes = bytesOf(response.req);
    if (queuedBytes + bytes > maxQueueBytes) return refuse(response);
    queuedBytes += bytes;
    const entry = { response, since: performance.now() };
    if (first && last) last.next = entry;
    else first = entry;
    last = entry;
    if (!timer) timer = setTimeout(checkQueue, interval).unref();
  };
}

interface AdmissionSettings {
  readonly connections: number;
  readonly secondsBlocked: (request: IncomingMessage) => number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each request that had to wait, whether or not it was then admitted. */
  readonly onWaited: (seconds: number) => void;
  readonly onRefused: () => void;
}

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Limits the number of concurrent requests. Other requests wait, and their bodies are not read. If the queue is full or
 * a request has waited for `maxWait`, the request gets a 503 before its credentials are checked. Requests with blocked
 * credentials (§5) get a 429.
 */
export function limitAdmission(app: RequestListener, settings: AdmissionSettings): RequestListener {
  const { connections, secondsBlocked, headers, onWaited, onRefused } = settings;
  const refuse = createRefuse(headers);
  const refuseLoad = (response: ServerResponse): void => {
    onRefused();
    refuse(response, { status: 503, message: 'The server is overloaded. Try again soon.', retryAfter });
  };
  const admit = (response: ServerResponse): void => app(response.req, response);
  const gateOf = (slots: number) => createGate(connections * slots, admit, refuseLoad, onWaited);
  const [readGate, writeGate] = [gateOf(slotsPerConnection.reads), gateOf(slotsPerConnection.writes)];
  return (request, response) => {
    if (request.url?.startsWith('/health/')) return app(request, response);
    const seconds = secondsBlocked(request);
    if (seconds === undefined) return (reads.has(request.method) ? readGate : writeGate)(response);
    const refusal = { status: 429, message: tooManyFailuresMessage(seconds), retryAfter: seconds };
    setTimeout(() => refuse(response, refusal), guessDelay);
  };
}
