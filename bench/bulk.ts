import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { drive, type Load } from './open-load.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { documentId, seedScale } from './seed-scale.ts';

/**
 * Measures how fast bulk actions process documents (`--documents 100000`), first alone and then while clients read.
 * `--only` selects one of the two. The clients read documents by id at a third of the maximum rate of sixteen
 * connections, which is measured first.
 */

const connections = 16;

/** The duration of one measurement while clients read, in seconds. */
const sampleSeconds = 2;

const headers = { authorization, 'content-type': 'application/json' };

type Read = (pace: Load['pace'], seconds: number) => Promise<{ perSecond: number; times: number[] }>;

/**
 * Returns a function that reads documents for a number of seconds.
 * @throws Error if any response is not 200
 */
const readersOf =
  (base: string, documents: number): Read =>
  async (pace, seconds) => {
    const { origin, pathname } = new URL(base);
    const times: number[] = [];
    let nth = 0;
    const next = () => {
      nth += 1;
      return { method: 'GET', path: `${pathname}/id/${documentId((nth * 7919) % documents)}` } as const;
    };
    const onAnswer = (status: number, milliseconds: number) => {
      if (status !== 200) throw new Error(`a reader received the status ${status}`);
      times.push(milliseconds);
    };
    const load = { url: origin, authorization, seconds, pace, next, onAnswer };
    const { goodput } = await drive(load);
    return { perSecond: goodput, times };
  };

/**
 * The name of the run in which every change also creates a version, because another user made the previous change.
 */
const versioned = 'setProperties, with versions';

/**
 * Reads at a fixed rate until `isOver` returns true. The last measurement, during which this happened, is used only if
 * it is the only one.
 */
async function readUntil(read: Read, rate: number, isOver: () => boolean) {
  const looks: Awaited<ReturnType<Read>>[] = [];
  while (!isOver()) looks.push(await read({ rate }, sampleSeconds));
  const counted = looks.length > 1 ? looks.slice(0, -1) : looks;
  const times = counted.flatMap((look) => look.times).sort((a, b) => a - b);
  return {
    perSecond: counted.reduce((sum, look) => sum + look.perSecond, 0) / counted.length,
    p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
  };
}

interface Status {
  readonly commandId: string;
  readonly state: string;
  readonly total: number;
  readonly errorCount: number;
}

const query =
  "SELECT * FROM Document WHERE ecm:path STARTSWITH '/scale' AND ecm:primaryType = 'File' AND ecm:isVersion = 0";

/** Waits until all earlier writes are indexed, so that only the bulk action itself is measured. */
async function waitForIndex(base: string): Promise<void> {
  while (!(await isIndexed(base, 20)));
}

/** Runs a bulk action. @returns the number of documents per second @throws Error if any document fails */
async function run(base: string, action: string, body: object): Promise<number> {
  await waitForIndex(base);
  const start = performance.now();
  const address = `${base}/search/bulk/${action}?query=${encodeURIComponent(query)}`;
  const begun = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (begun.status !== 202) throw new Error(`${action}: ${begun.status} ${await begun.text()}`);
  const { commandId } = (await begun.json()) as Status;
  for (;;) {
    await wait(100);
    const status = (await (await fetch(`${base}/bulk/${commandId}`, { headers })).json()) as Status;
    if (!['COMPLETED', 'ABORTED'].includes(status.state)) continue;
    if (status.state === 'ABORTED' || status.errorCount > 0)
      throw new Error(`${action}: ${status.state}, ${status.errorCount} failed`);
    return (status.total * 1000) / (performance.now() - start);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { documents: { type: 'string', default: '100000' }, only: { type: 'string' } },
  });
  const documents = Number(values.documents);
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = `${(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url}/api/v1`;
  const { only } = values;
  const isVersioned = only === undefined || only === versioned;
  await seedScale(databaseUrl, documents, isVersioned ? undefined : "'Administrator'");

  await waitForIndex(base);
  const read = readersOf(base, documents);
  await read({ connections }, 5); // warm-up
  const highest = (await read({ connections }, 5)).perSecond;
  const third = highest / 3;
  console.log(`readers alone: ${highest.toFixed(0)}/s`);
  console.log(
    '| action | documents/s | documents/s with readers | reads/s (target: a third) | read p95, ms |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const coverage = (value: string) => ({ 'dc:coverage': `europe/${value}` });
  const rows = [
    { name: versioned, action: 'setProperties', bodies: [coverage('France')] },
    { name: 'setProperties', action: 'setProperties', bodies: [coverage('Spain'), coverage('Italy')] },
    { name: 'csvExport', action: 'csvExport', bodies: [{}, {}] },
    { name: 'jsonlExport', action: 'jsonlExport', bodies: [{}, {}] },
  ];
  for (const { name, action, bodies } of rows.filter((row) => only === undefined || row.name === only)) {
    const alone = await run(base, action, bodies[0] ?? {});
    if (bodies[1] === undefined) {
      console.log(`| ${name} | ${alone.toFixed(0)} | | | |`);
      continue;
    }
    let isOver = false;
    await waitForIndex(base);
    const reading = readUntil(read, third, () => isOver);
    const beside = await run(base, action, bodies[1]);
    isOver = true;
    const { perSecond, p95 } = await reading;
    const figures = [alone, beside, perSecond].map((figure) => figure.toFixed(0));
    console.log(`| ${name} | ${figures.join(' | ')} of ${third.toFixed(0)} | ${p95.toFixed(1)} |`);
  }
}

await toTheEnd(main);
