import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pMap from 'p-map';
import { openBlobStore } from '../src/blobs/open-blob-store.ts';
import { readBlobStart } from '../src/blobs/text.ts';
import { readConfig } from '../src/config.ts';
import { createConversions } from '../src/converters/conversions.ts';
import { noTools } from '../src/converters/programs/programs.ts';
import { wordsOfText } from '../src/words/analysis.ts';
import { plainAnalysis } from '../src/words/atoms.ts';
import { documentsInScripts } from '../test/support/texts-in-scripts.ts';
import { atEnd, toTheEnd } from './closing.ts';

/**
 * Measures how long the event loop is delayed while the words of files are listed in this process, and in converter
 * processes, as the server does.
 */

const rounds = 5;
const textsOfRound = 30;
const textLength = 300_000;

/** The number of files whose words a server lists at the same time. */
const concurrency = 2;

interface Delays {
  readonly p99: number;
  readonly max: number;
}

async function delaysDuring(
  digests: readonly string[],
  list: (digest: string) => Promise<string>,
): Promise<Delays> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await pMap(digests, list, { concurrency });
  histogram.disable();
  return { p99: histogram.percentile(99) / 1e6, max: histogram.max / 1e6 };
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const blobs = await openBlobStore(readConfig({ DATA_DIR: folder }));
  const conversions = createConversions({ blobs, tools: noTools });
  atEnd(() => conversions.close());
  const all = documentsInScripts(100_000)
    .map(({ title, description }) => `${title}\n${description}\n`)
    .join('');
  const texts = Array.from({ length: textsOfRound }, (_, nth) =>
    all.slice(nth * 100_000, nth * 100_000 + textLength),
  );
  const digests: string[] = [];
  for (const text of texts) digests.push((await blobs.write([Buffer.from(text)])).digest);
  const here = async (digest: string) =>
    wordsOfText(plainAnalysis, await readBlobStart(blobs, { digest }, 4 * textLength));
  const apart = (digest: string) => conversions.wordsOf({ digest }, undefined);
  await delaysDuring(digests.slice(0, 4), here);
  await delaysDuring(digests.slice(0, 4), apart);
  const ratios: number[] = [];
  console.log(
    '| round | here: p99, max | in converters: p99, max | ratio of the p99 |\n| --- | ---: | ---: | ---: |',
  );
  for (let round = 1; round <= rounds; round += 1) {
    const [before, after] = [await delaysDuring(digests, here), await delaysDuring(digests, apart)];
    ratios.push(before.p99 / after.p99);
    const shown = [before, after].map(({ p99, max }) => `${p99.toFixed(1)}, ${max.toFixed(1)} ms`);
    console.log(`| ${round} | ${shown.join(' | ')} | ${ratios.at(-1)?.toFixed(1)} |`);
  }
  const ratio = median(ratios);
  console.log(`\nThe median ratio is ${ratio.toFixed(1)}; the goal is at least 2.`);
  if (ratio < 2) process.exitCode = 1;
}

await toTheEnd(main);
