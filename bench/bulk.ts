import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { documentId, seedScale } from './seed-scale.ts';

/**
 * How fast bulk actions get through `--documents 100000`, alone and beside readers: these ask for documents by id at
 * a third of their highest rate, which is measured first.
 */
const clients = 4;

interface Readers {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p95: number;
}

const headers = { authorization, 'content-type': 'application/json' };

/** @param perSecond the rate that is asked for; as many as there can be when absent. */
async function read(
  base: string,
  documents: number,
  until: () => boolean,
  perSecond?: number,
): Promise<Readers> {
  const times: number[] = [];
  const began = performance.now();
  const one = async (client: number): Promise<void> => {
    for (let nth = 0; !until(); nth += 1) {
      const start = performance.now();
      if (perSecond !== undefined) {
        const due = began + ((nth * clients + client) * 1000) / perSecond;
        if (due > start) await wait(due - start);
      }
      const sent = performance.now();
      const number = ((nth * clients + client) * 7919) % documents;
      const response = await fetch(`${base}/id/${documentId(number)}`, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a reader got ${response.status}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
  times.sort((a, b) => a - b);
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: times.length / seconds,
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

/** Documents a second, from the call to the last one. @throws Error when any document fails */
async function run(base: string, action: string, body: object): Promise<number> {
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
  const { values } = parseArgs({ options: { documents: { type: 'string', default: '100000' } } });
  const documents = Number(values.documents);
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = `${(await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder })).url}/api/v1`;
  await seedScale(databaseUrl, documents);

  const end = performance.now() + 5_000;
  const highest = await read(base, documents, () => performance.now() > end);
  console.log(`readers alone: ${highest.perSecond.toFixed(0)}/s, p95 ${highest.p95.toFixed(1)} ms`);
  console.log('| action | documents/s | beside readers, documents/s | readers/s of a third | p95, ms |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const third = highest.perSecond / 3;
  const coverage = (value: string) => ({ 'dc:coverage': `europe/${value}` });
  // The documents are of other users: the first change by the administrator makes a version of each.
  const rows = [
    { name: 'setProperties, with versions', action: 'setProperties', bodies: [coverage('France')] },
    { name: 'setProperties', action: 'setProperties', bodies: [coverage('Spain'), coverage('Italy')] },
    { name: 'csvExport', action: 'csvExport', bodies: [{}, {}] },
    { name: 'jsonlExport', action: 'jsonlExport', bodies: [{}, {}] },
  ];
  for (const { name, action, bodies } of rows) {
    const alone = await run(base, action, bodies[0] ?? {});
    if (bodies[1] === undefined) {
      console.log(`| ${name} | ${alone.toFixed(0)} | | | |`);
      continue;
    }
    let isOver = false;
    const reading = read(base, documents, () => isOver, third);
    const beside = await run(base, action, bodies[1]);
    isOver = true;
    const { perSecond, p95 } = await reading;
    const figures = [alone, beside, perSecond].map((figure) => figure.toFixed(0));
    console.log(`| ${name} | ${figures.join(' | ')} of ${third.toFixed(0)} | ${p95.toFixed(1)} |`);
  }
}

await toTheEnd(main);
