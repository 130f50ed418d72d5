import autocannon from 'autocannon';
import { cpuTime } from './processes.ts';

/** One of the servers that are compared. */
export interface Contender {
  readonly pid: number;
  /** The prefix of all request URLs. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A request that a row of the results table measures. The path does not include the prefix. `body` is called for each
 * request.
 */
export interface RowRequest {
  readonly path: string;
  readonly body?: () => string;
}

/** The result of one run with one server. */
export interface Run {
  readonly perSecond: number;
  /** The median response time in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The CPU time of the server's process per request, in milliseconds. */
  readonly cpu: number | undefined;
}

const connections = 16;

/**
 * The step between the indexes of successive documents. It is coprime to any number of documents used, so that
 * consecutive requests do not read neighboring rows.
 */
const stride = 7919;

function requestOf({ path: base }: { path: string }, { path, body }: RowRequest): autocannon.Request {
  if (!body) return { path: `${base}${path}` };
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, path: `${base}${path}`, setupRequest: (it) => ({ ...it, body: body() }) };
}

/** Returns the value below which the given fraction of the sorted values lies. */
const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/**
 * Puts load on one server with sixteen connections, each of which sends different requests.
 * @throws Error if any response is not 2xx
 */
export async function load(
  { pid, base, headers }: Contender,
  requests: readonly RowRequest[],
  seconds: number,
): Promise<Run> {
  const { origin, pathname } = new URL(base);
  const place = { path: pathname === '/' ? '' : pathname };
  let connection = 0;
  const setupClient = (client: autocannon.Client) => {
    const own = requests.filter((_, index) => index % connections === connection);
    connection += 1;
    client.setRequests(
      own.map((_, index) => requestOf(place, own[(index * stride) % own.length] ?? (own[0] as RowRequest))),
    );
  };
  const times: number[] = [];
  const wrong = new Map<number, number>();
  const cpuBefore = await cpuTime(pid);
  let started = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url: origin, connections, duration: seconds, sampleInt: 100, headers, setupClient };
    const instance = autocannon(options, (error: unknown, done) => (error ? reject(error) : resolve(done)));
    started = performance.now();
    instance.on('response', (_, status, __, milliseconds) => {
      if (status >= 200 && status < 300) times.push(milliseconds);
      else wrong.set(status, (wrong.get(status) ?? 0) + 1);
    });
  });
  const elapsed = performance.now() - started;
  const cpuAfter = await cpuTime(pid);
  if (wrong.size > 0 || result.errors > 0 || times.length === 0) {
    const statuses = [...wrong].map(([status, count]) => `${count} × ${status}`).join(', ');
    throw new Error(
      `${base}${requests[0]?.path}: ${result.errors} errors, ${statuses || 'no error statuses'}`,
    );
  }
  times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu:
      cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / times.length,
  };
}
