import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import type { Run } from './load.ts';
import type { Compared } from './rows.ts';

/** How long Quire takes to start with one kind of database, and how much memory it uses when idle. */
export interface Start {
  readonly name: string;
  /**
   * The time in each run from starting the process to the first 200 response from `/health/ready`, in milliseconds.
   */
  readonly milliseconds: readonly number[];
  /** The maximum time, in milliseconds. */
  readonly goal: number;
  /**
   * The memory of all processes in MB after a few idle seconds. It is measured only for some kinds of databases.
   */
  readonly idle?: { readonly megabytes: number | undefined; readonly goal: number };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

const medianOf = (runs: readonly Run[], key: 'perSecond' | 'p50' | 'p99'): number =>
  median(runs.map((run) => run[key]));

/** The text shown instead of CPU and memory figures if the system has no `/proc`. */
const noProc = 'no /proc';

function cpuOf(runs: readonly Run[]): string {
  const times = runs.map(({ cpu }) => cpu).filter((cpu) => cpu !== undefined);
  return times.length === runs.length ? median(times).toFixed(2) : noProc;
}

/**
 * Returns the ratios between runs that directly followed each other, so that other load on the machine affected both
 * equally.
 */
const ratios = (one: readonly Run[], other: readonly Run[], key: 'perSecond' | 'p99' | 'cpu'): number[] =>
  one.map((run, round) => (run[key] ?? Number.NaN) / (other[round]?.[key] ?? Number.NaN));

/** Formats the median, followed by the minimum and the maximum. */
export const range = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Creates a Markdown table. The first column is text; the others are figures. */
export function table(head: readonly string[], body: ReadonlyArray<readonly string[]>): string {
  const rule = head.map((_, at) => (at === 0 ? '---' : '--:'));
  return [head, rule, ...body].map(line).join('\n');
}

export function comparedTable(all: readonly Compared[]): string {
  const head = [
    'Request',
    'server',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU ms',
    'ratio',
    'goal',
    'CPU ratio',
    'p99 ratio',
  ];
  const cells = (runs: readonly Run[]) => [
    Math.round(medianOf(runs, 'perSecond')).toLocaleString('en'),
    medianOf(runs, 'p50').toFixed(1),
    medianOf(runs, 'p99').toFixed(1),
    cpuOf(runs),
  ];
  const body = all.flatMap(({ row, one, others }) => [
    [row.name, one.name, ...cells(one.runs), '', '', '', ''],
    ...others.map(({ name, runs }) => {
      const goal = row.goals[name] ?? undefined;
      const rates = range(ratios(one.runs, runs, 'perSecond'));
      const cpu = cpuOf(runs) === noProc ? '' : range(ratios(runs, one.runs, 'cpu'));
      const slowest = range(ratios(one.runs, runs, 'p99'));
      return ['', name, ...cells(runs), rates, goal === undefined ? '' : `≥ ${goal}`, cpu, slowest];
    }),
  ]);
  return table(head, body);
}

/** Returns the names of the rows whose median ratio is below the goal. */
export const belowGoal = (all: readonly Compared[]): string[] =>
  all.flatMap(({ row, one, others }) =>
    others
      .filter(({ name, runs }) => median(ratios(one.runs, runs, 'perSecond')) < (row.goals[name] ?? 0))
      .map(({ name }) => `${row.name} (${name})`),
  );

function startsTable(starts: readonly Start[]): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  const head = ['Database', 'ready after', 'goal', 'idle memory', 'goal'];
  const body = starts.map(({ name, milliseconds, goal, idle }) => [
    name,
    seconds(median(milliseconds)),
    `≤ ${seconds(goal)}`,
    !idle ? '' : idle.megabytes === undefined ? noProc : `${Math.round(idle.megabytes)} MB`,
    idle ? `≤ ${idle.goal} MB` : '',
  ]);
  return table(head, body);
}

function machine({ server, embedded }: Measurements['versions']): string {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown CPU';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const own = embedded === undefined ? '' : `, embedded PostgreSQL ${embedded}`;
  return `${model}, ${cpus().length} cores, ${memory}; ${type()} ${release()}, PostgreSQL ${server}${own}.`;
}

/**
 * The measurements with one Node release: the rows, the comparison of the embedded PostgreSQL with a PostgreSQL server,
 * and the startup times.
 */
export interface ReleaseMeasurements {
  readonly version: string;
  readonly compared: readonly Compared[];
  readonly embedded: readonly Compared[];
  readonly starts: readonly Start[];
}

export interface Measurements {
  readonly versions: { readonly server: string; readonly embedded?: string | undefined };
  readonly releases: readonly ReleaseMeasurements[];
}

/** Formats the measurements as Markdown. */
export function report({ versions, releases }: Measurements): string {
  const parts = releases.flatMap(({ version, compared, embedded, starts }) => [
    `Node ${version}:`,
    ...(compared.length > 0 ? [comparedTable(compared)] : []),
    ...(embedded.length > 0 ? [comparedTable(embedded)] : []),
    ...(starts.length > 0 ? [startsTable(starts)] : []),
  ]);
  return [machine(versions), ...parts].join('\n\n');
}

const begin = '<!-- bench: begin -->';
const end = '<!-- bench: end -->';

/** Writes a report between the two markers in a file. @throws Error if the file does not contain the markers */
export async function writeReport(file: URL, text: string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file.pathname} does not contain ${begin} and ${end}`);
  await writeFile(file, `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`);
}
