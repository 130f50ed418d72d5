import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import sharp from 'sharp';
import { atEnd, toTheEnd } from './closing.ts';
import { drive } from './open-load.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';
import { cpuTimeOfAll } from './processes.ts';

/**
 * Measures how fast thumbnails of twelve-megapixel photographs (`--pictures 1000`) are generated: compared with two
 * loops that call sharp directly, and while readers send requests at a third of their maximum rate.
 */

const { values } = parseArgs({
  options: { pictures: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
});
const [pictures, rounds] = [Number(values.pictures), Number(values.rounds)];

/** The number of clients that request thumbnails at the same time. */
const clients = 8;

/** The number of loops that call sharp directly. Each uses one core. */
const loops = 2;

/** How long readers send requests, in seconds. */
const seconds = 10;

/** Creates an image of blurred noise, which is as expensive to process as a photograph. */
const photograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4_000,
      height: 3_000,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .blur(1.5)
    .jpeg({ quality: 85 })
    .toBuffer();

/**
 * Adds a numbered comment after the first marker of a JPEG, so that each file has different bytes but causes the same
 * work.
 */
function numbered(jpeg: Buffer, number: number): Buffer {
  const comment = Buffer.alloc(8);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(6, 2);
  comment.writeUInt32BE(number, 4);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

/** Generates a thumbnail in the same way as the server's converter, but without the server. */
const alone = (file: string): Promise<Buffer> =>
  sharp(file, { sequentialRead: true })
    .autoOrient()
    .resize(350, 350, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();

interface Laid {
  readonly file: string;
  readonly uid: string;
}

const json = { authorization, 'content-type': 'application/json' };

async function fetchOk(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, headers: { authorization, ...init.headers } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Creates a document with an image, and writes the same image to a folder. */
async function lay(api: string, folder: string, bytes: Buffer, number: number): Promise<Laid> {
  const file = join(folder, `${number}.jpg`);
  await writeFile(file, bytes);
  const { batchId } = (await (await fetchOk(`${api}/upload`, { method: 'POST' })).json()) as {
    batchId: string;
  };
  await fetchOk(`${api}/upload/${batchId}/0`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-file-name': 'a.jpg',
      'x-file-type': 'image/jpeg',
    },
    body: new Uint8Array(bytes),
  });
  // The type is File rather than Picture, because the server would also generate the views of a Picture.
  const document = {
    'entity-type': 'document',
    type: 'File',
    name: `picture-${number}`,
    properties: { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } },
  };
  const made = await fetchOk(`${api}/path/`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(document),
  });
  const { uid } = (await made.json()) as { uid: string };
  return { file, uid };
}

/** The rate at which thumbnails were generated. */
interface Made {
  readonly perSecond: number;
  /** The CPU time of the process and its descendants per thumbnail, in milliseconds. */
  readonly cpu: number;
}

async function made<T>(
  pid: number,
  all: readonly T[],
  { concurrency, work }: { concurrency: number; work: (each: T) => Promise<unknown> },
): Promise<Made> {
  const cpuOf = async () =>
    pid === process.pid ? process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3 : cpuTimeOfAll(pid);
  const [start, cpu] = [performance.now(), (await cpuOf()) ?? Number.NaN];
  await pMap(all, work, { concurrency });
  const perSecond = all.length / ((performance.now() - start) / 1000);
  return { perSecond, cpu: (((await cpuOf()) ?? Number.NaN) - cpu) / all.length };
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

async function main(): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  const postgres = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { url, pid } = await startOurs({
    DATABASE_URL: await postgres.createDatabase(),
    DATA_DIR: join(folder, 'data'),
  });
  const api = `${url}/api/v1`;
  const jpeg = await photograph();
  console.log(`${pictures} pictures of ${(jpeg.length / 1e6).toFixed(1)} MB`);
  const laid: Laid[] = [];
  const half = Math.ceil(pictures / 2);
  for (let number = 0; number < pictures; number += 1)
    laid.push(await lay(api, folder, numbered(jpeg, number), number));

  const thumbnail = async ({ uid }: Laid) =>
    (await fetchOk(`${api}/id/${uid}/@rendition/thumbnail`, {})).arrayBuffer();
  const [ratios, cpuRatios]: [number[], number[]] = [[], []];
  const [first, second] = [laid.slice(0, half), laid.slice(half)];
  const ourWork = { concurrency: clients, work: thumbnail };
  await made(pid, first.splice(0, 2 * loops), ourWork); // Generating the first thumbnails also starts the converter processes.
  const size = Math.floor(first.length / rounds);
  for (let round = 0; round < rounds; round += 1) {
    const part = first.slice(round * size, (round + 1) * size);
    const loop = await made(process.pid, part, { concurrency: loops, work: ({ file }) => alone(file) });
    const ours = await made(pid, part, ourWork);
    ratios.push(ours.perSecond / loop.perSecond);
    cpuRatios.push(loop.cpu / ours.cpu);
    for (const [name, { perSecond, cpu }] of Object.entries({ 'sharp alone': loop, ours }))
      console.log(`${name}: ${perSecond.toFixed(1)}/s, ${cpu.toFixed(0)} ms of CPU time each`);
  }
  const range = (all: readonly number[]) =>
    `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)})`;
  console.log(`ratio ${range(ratios)}, of CPU time ${range(cpuRatios)}`);

  const read = () => ({ method: 'GET', path: `/api/v1/id/${laid[0]?.uid}` }) as const;
  const load = { url, authorization, seconds, next: read };
  const most = await drive({ ...load, pace: { connections: 16 } });
  const rate = most.goodput / 3;
  const quiet = await drive({ ...load, pace: { rate } });
  const driven = drive({ ...load, pace: { rate } });
  let count = 0;
  let isOver = false;
  const making = pMap(
    second,
    async (each) => {
      if (isOver) return;
      await thumbnail(each);
      count += 1;
    },
    { concurrency: clients },
  );
  const beside = await driven;
  isOver = true;
  const perSecond = count / seconds;
  await making;
  console.log(`only readers: ${most.goodput.toFixed(0)}/s, of which a third is ${rate.toFixed(0)}/s`);
  for (const [name, { goodput, p50, p99 }] of Object.entries({ 'without thumbnails': quiet, beside }))
    console.log(`${name}: ${goodput.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  console.log(
    `thumbnails with readers: ${perSecond.toFixed(1)}/s; the readers reach ${(beside.goodput / rate).toFixed(2)} of their rate`,
  );
}

await toTheEnd(main);
