import type { MetricSample } from '../services.ts';

const minute = 60_000;

/** The maximum number of samples. Together they cover one hour. */
const maxSamples = 60;

type Values = Readonly<Record<string, number>>;

/**
 * Sums the values of each metric over all of its labels.
 * @param text metrics in the text format of Prometheus
 */
function sumsOf(text: string): Values {
  const sums: Record<string, number> = {};
  const add = (name: string, value: string): void => {
    sums[name] = (sums[name] ?? 0) + Number(value);
  };
  for (const [, name = '', labels = '', value = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)/gm)) {
    add(name, value);
    if (name === 'http_request_duration_seconds_count' && /status="5/.test(labels)) add('failed', value);
    if (name === 'jobs') add(`jobs ${/state="([^"]*)"/.exec(labels)?.[1]}`, value);
  }
  return sums;
}

const names = {
  requests: 'http_request_duration_seconds_count',
  seconds: 'http_request_duration_seconds_sum',
  failures: 'failed',
  refused: 'http_requests_refused_total',
  cpu: 'process_cpu_seconds_total',
  memory: 'process_resident_memory_bytes',
  lag: 'nodejs_eventloop_lag_p99_seconds',
} as const;

/**
 * Returns the changes between two readings. A counter can decrease because a process was restarted; its change is then
 * counted as zero.
 */
function sampleOf(before: Values, now: Values): MetricSample {
  const increase = (name: string): number => Math.max(0, (now[name] ?? 0) - (before[name] ?? 0));
  const requests = increase(names.requests);
  return {
    at: new Date(),
    requests,
    failures: increase(names.failures),
    refused: increase(names.refused),
    meanMilliseconds: requests === 0 ? 0 : (increase(names.seconds) / requests) * 1000,
    cpuSeconds: increase(names.cpu),
    memoryBytes: now[names.memory] ?? 0,
    lagMilliseconds: (now[names.lag] ?? 0) * 1000,
    waitingJobs: now['jobs waiting'] ?? 0,
    failedJobs: now['jobs set-aside'] ?? 0,
  };
}

export interface MetricHistory {
  /** The samples of the last hour, oldest first. */
  readonly samples: () => readonly MetricSample[];
  /** Reads the metrics, and stores the changes since the last reading as a sample. */
  readonly take: () => Promise<void>;
  /**
   * Takes a sample every minute.
   * @returns a function that stops the sampling
   */
  readonly begin: () => () => void;
}

/**
 * Keeps the metrics of the last hour in memory.
 * @param read returns the body of `/metrics`
 */
export function createMetricHistory(read: () => Promise<string>): MetricHistory {
  let before: Values | undefined;
  let samples: readonly MetricSample[] = [];
  const take = async (): Promise<void> => {
    const now = sumsOf(await read());
    if (before) samples = [...samples, sampleOf(before, now)].slice(-maxSamples);
    before = now;
  };
  return {
    samples: () => samples,
    take,
    begin: () => {
      // While the database is unavailable, no sample is taken. The next sample then covers the whole time since the
      // last one.
      const timer = setInterval(() => void take().catch(() => {}), minute).unref();
      return () => clearInterval(timer);
    },
  };
}
