import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd, toTheEnd } from './closing.ts';
import { type Ids, readIds, requests } from './mixes.ts';
import { readFor } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import type { Running } from './processes.ts';
import { seedOurs } from './seed.ts';
import { median } from './table.ts';

/**
 * Compares plain reads of a server with the extension examples/invoices and of one without extensions. Both use the same
 * database, one after the other.
 */

// Many short rounds, because their median depends less on what else the machine does than that of a few long ones.
const [rounds, seconds, readers] = [21, 2, 16];
const extension = fileURLToPath(new URL('../examples/invoices/index.js', import.meta.url));

const read = (server: Running, ids: Ids) =>
  readFor(server, { authorization, seconds, connections: readers, next: requests('reads', ids) });

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const start = (name: string, EXTENSIONS?: string) =>
    startOurs({
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, name),
      ...(EXTENSIONS !== undefined && { EXTENSIONS }),
    });
  const plain = await start('plain');
  console.error('creating 20,400 documents');
  await seedOurs(databaseUrl);
  const extended = await start('extended', extension);
  const ids = await readIds(plain.url);
  for (const server of [plain, extended, plain, extended]) await read(server, ids);
  const ratios = { goodput: [] as number[], cpu: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [plain, extended] : [extended, plain];
    const measured = new Map<Running, Awaited<ReturnType<typeof read>>>();
    for (const server of order) measured.set(server, await read(server, ids));
    const [without, withOne] = [measured.get(plain), measured.get(extended)];
    if (!without || !withOne) throw new Error('A server has not been measured.');
    ratios.goodput.push(withOne.goodput / without.goodput);
    ratios.cpu.push(withOne.cpu / without.cpu);
  }
  const range = (values: readonly number[]) =>
    `${median(values).toFixed(3)} (${Math.min(...values).toFixed(3)}–${Math.max(...values).toFixed(3)})`;
  console.log(
    `GET by id with examples/invoices, compared with no extension: rate ${range(ratios.goodput)}, CPU time ${range(ratios.cpu)}`,
  );
}

await toTheEnd(main);
