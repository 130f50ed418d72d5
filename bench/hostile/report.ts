import { isFault, type Sent } from './attacker.ts';
import type { Sample, SampleKind } from './bystanders.ts';

export const goals = {
  /** The maximum response times of `/health/live`, in milliseconds. */
  live: { p99: 100, most: 300 },
  /**
   * The maximum p99 response time of other users' requests: an absolute limit in milliseconds and a multiple of the p99
   * without attacks, whichever is larger.
   */
  others: { p99: 100, times: 5 },
  /** The maximum time until a search finds a new document, in milliseconds. */
  found: 2_000,
  /** The maximum memory growth compared with the idle server, in MB. */
  memory: 1_024,
};

/** The memory that the server uses at a point in time. */
export interface Held {
  readonly at: number;
  readonly megabytes: number;
}

/** A statement that had been running for at least 20 ms at a point in time. */
export interface Ran {
  readonly at: number;
  /** The beginning of the statement's text. */
  readonly text: string;
  /** The PostgreSQL wait event of the statement; null while it is computing. */
  readonly waitsFor: string | null;
}

/** The CPU time that each part of the benchmark has used up to a point in time, in milliseconds. */
export interface CpuTimes {
  readonly at: number;
  /** The CPU time of the server's main thread. */
  readonly main: number;
  /**
   * The CPU time of the server's other threads (garbage collection, file access, hashing) and of the processes that
   * it has started.
   */
  readonly rest: number;
  readonly postgres: number;
  readonly attacker: number;
  /** The CPU time of the clients that act as other users. */
  readonly others: number;
  /** The CPU time of this process. */
  readonly bench: number;
}

const partNames: Readonly<Record<Exclude<keyof CpuTimes, 'at'>, string>> = {
  main: "server's main thread",
  rest: 'its other threads and processes',
  postgres: 'PostgreSQL',
  attacker: 'hostile client',
  others: 'other clients',
  bench: 'bookkeeping',
};

/** Prints the share of one CPU that each part of the benchmark used during each family of requests. */
export function cpuShares(
  all: ReadonlyArray<{ readonly family: string; readonly times: CpuTimes }>,
): string[] {
  return all.flatMap(({ family, times }, index) => {
    const next = all[index + 1]?.times;
    if (!next || family === '') return [];
    const shares = Object.entries(partNames).map(([part, name]) => {
      const used = next[part as keyof CpuTimes] - times[part as keyof CpuTimes];
      return `${name} ${((100 * used) / (next.at - times.at)).toFixed(0)} %`;
    });
    return `${family}: ${shares.join(', ')}`;
  });
}

export interface Seen {
  readonly sent: readonly Sent[];
  readonly samples: readonly Sample[];
  readonly memory: readonly Held[];
  readonly ran: readonly Ran[];
  /** The memory of the idle server, in MB. */
  readonly idle: number;
  /** The start and end of the period without attacks. */
  readonly quiet: readonly [number, number];
}

const requests = ['read', 'write', 'search'] as const satisfies readonly SampleKind[];

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Selects the samples and memory measurements between two points in time. */
function within({ samples, memory, idle }: Seen, [start, end]: readonly [number, number]) {
  const now = samples.filter((one) => one.start < end && one.start + one.took > start);
  const tookBy = (kind: SampleKind) => now.filter((one) => one.kind === kind).map(({ took }) => took);
  const workedBy = (kind: SampleKind) =>
    now
      .filter((one) => one.kind === kind)
      .flatMap(({ took, thread }) => (thread ? Math.max(0, took - thread.waited) : []));
  const held = memory.filter(({ at }) => at >= start && at <= end).map(({ megabytes }) => megabytes);
  return {
    live: { p99: percentile(tookBy('live'), 0.99), most: Math.max(0, ...tookBy('live')) },
    others: requests.map((kind) => percentile(tookBy(kind), 0.99)),
    worked: requests.map((kind) => percentile(workedBy(kind), 0.99)),
    failed: now.filter(({ isOk, kind }) => !isOk && kind !== 'found'),
    found: Math.max(0, ...tookBy('found')),
    memory: Math.max(0, ...held) - idle,
  };
}

const milliseconds = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(0));

/**
 * Counts the responses by class of status code. GraphQL responses that contain errors are counted separately.
 */
const countsOf = (sent: readonly Sent[]): string => {
  const counts = new Map<string, number>();
  for (const { status, error } of sent) {
    const kind = status ? `${Math.floor(status / 100)}xx${error ? ' with errors' : ''}` : 'no answer';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(', ');
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const head = [
  'Requests',
  'Answers',
  'Slowest',
  '`/health/live` p99, most',
  'p99 of other users: reads, writes, searches',
  'without time waiting for a CPU',
  'Failed',
  'New document found after',
  'Memory above idle',
];

/** Creates a Markdown table with one row per family of requests, and lists all missed goals. */
export function report(seen: Seen): { readonly table: string; readonly misses: string[] } {
  const quiet = within(seen, seen.quiet);
  const limits = quiet.others.map((p99) => Math.max(goals.others.p99, goals.others.times * (p99 || 0)));
  const misses: string[] = [];
  const families = [...new Set(seen.sent.map(({ family }) => family))];
  const lines = families.map((family) => {
    const sent = seen.sent.filter((one) => one.family === family);
    const time = [
      Math.min(...sent.map(({ start }) => start)),
      Math.max(...sent.map(({ end }) => end)),
    ] as const;
    const { live, others, worked, failed, found, memory } = within(seen, time);
    const slowest = Math.max(...sent.map(({ start, end }) => end - start));
    const miss = (isMissed: boolean, text: string) => isMissed && misses.push(`${family}: ${text}`);
    miss(!(live.p99 <= goals.live.p99), `/health/live p99 ${milliseconds(live.p99)} ms`);
    miss(!(live.most <= goals.live.most), `/health/live at most ${milliseconds(live.most)} ms`);
    for (const [index, kind] of requests.entries())
      miss((others[index] ?? 0) > (limits[index] ?? 0), `${kind} p99 ${milliseconds(others[index] ?? 0)} ms`);
    miss(
      failed.length > 0,
      `${failed.length} failed requests of others, such as ${failed[0]?.kind}: ${failed[0]?.fault}`,
    );
    miss(found > goals.found, `a new document was found after ${milliseconds(found)} ms`);
    miss(memory > goals.memory, `${memory.toFixed(0)} MB above idle`);
    for (const one of sent.filter(isFault))
      misses.push(`${one.name}: ${one.status || 'no answer'} ${one.text}`);
    return row([
      `${sent.length} ${family}`,
      countsOf(sent),
      `${(slowest / 1_000).toFixed(1)} s`,
      `${milliseconds(live.p99)}, ${milliseconds(live.most)} ms`,
      `${others.map(milliseconds).join(', ')} ms`,
      `${worked.map(milliseconds).join(', ')} ms`,
      String(failed.length),
      `${(found / 1_000).toFixed(1)} s`,
      `${memory.toFixed(0)} MB`,
    ]);
  });
  const calm = row([
    'None',
    '',
    '',
    `${milliseconds(quiet.live.p99)}, ${milliseconds(quiet.live.most)} ms`,
    `${quiet.others.map(milliseconds).join(', ')} ms`,
    `${quiet.worked.map(milliseconds).join(', ')} ms`,
    String(quiet.failed.length),
    `${(quiet.found / 1_000).toFixed(1)} s`,
    `${quiet.memory.toFixed(0)} MB`,
  ]);
  const table = [row(head), row(head.map(() => '---')), calm, ...lines].join('\n');
  return { table, misses };
}

/**
 * Lists the hostile requests that delayed `/health/live` or the search index the longest, or that used the most CPU
 * time of the server.
 */
export function worst({ sent, samples }: Seen, count: number): string[] {
  const judged = sent.map((one) => {
    const now = samples.filter(({ start, took }) => start < one.end && start + took > one.start);
    const most = (kind: SampleKind) =>
      Math.max(0, ...now.filter((each) => each.kind === kind).map(({ took }) => took));
    return { ...one, live: most('live'), found: most('found'), took: one.end - one.start };
  });
  const by = (key: 'live' | 'cpu' | 'found') => judged.toSorted((a, b) => b[key] - a[key]).slice(0, count);
  const shown = [...new Set([...by('live'), ...by('cpu'), ...by('found').slice(0, Math.ceil(count / 4))])];
  return shown.map(
    ({ family, name, status, took, cpu, live, found }) =>
      `live ${milliseconds(live)} ms, CPU ${milliseconds(cpu)} ms, found ${milliseconds(found)} ms, answer ${status} after ${milliseconds(took)} ms: ${family}: ${name}`,
  );
}

/** Lists the slowest requests of other users by kind, and what was running at the same time. */
export function slowest({ sent, samples, ran }: Seen, count: number): string[] {
  const start = Math.min(...sent.map((one) => one.start));
  const live = samples.filter(({ kind }) => kind === 'live');
  const line = (one: Sample): string => {
    const end = one.start + one.took;
    const isMeanwhile = (other: { start: number; end: number }) => other.start < end && other.end > one.start;
    const attacks = sent.filter(isMeanwhile).map(({ name }) => name);
    const longestLive = Math.max(
      0,
      ...live
        .filter((other) => isMeanwhile({ ...other, end: other.start + other.took }))
        .map(({ took }) => took),
    );
    const counts = new Map<string, number>();
    for (const { at, text, waitsFor } of ran) {
      if (at < one.start || at > end) continue;
      const what = `${text.replace(/\s+/g, ' ').slice(0, 100)}${waitsFor ? ` (waits: ${waitsFor})` : ''}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    const statements = [...counts].sort(([, a], [, b]) => b - a).slice(0, 4);
    return [
      `${milliseconds(one.took)} ms, ${one.request ?? one.kind}: ${one.timing}`,
      ...(one.thread
        ? [
            `main thread ${milliseconds(one.thread.cpu)} ms of CPU time, ${milliseconds(one.thread.waited)} ms waiting for a CPU`,
          ]
        : []),
      ...(one.searchDelay ? [`index ${one.searchDelay} ms behind`] : []),
      `/health/live at most ${milliseconds(longestLive)} ms`,
      `during ${[...new Set(attacks)].join(' and ') || 'nothing'}`,
      ...statements.map(([what, times]) => `\n    ${times} × ${what}`),
    ].join('; ');
  };
  return requests.flatMap((kind) =>
    samples
      .filter((one) => one.kind === kind && one.start + one.took > start)
      .sort((one, other) => other.took - one.took)
      .slice(0, Math.ceil(count / 2))
      .map(line),
  );
}
