import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { fileKinds } from '../test/support/file-kinds.ts';
import { type Bomb, bombs, damaged } from './bomb-files.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import type { Running } from './processes.ts';
import { watch } from './watch.ts';

/** Measures how much expensive and damaged files slow down a server and its other clients. */

const { values } = parseArgs({ options: { programs: { type: 'boolean', default: false } } });

const goals = { seconds: 5, live: 100 };

/** The paths that a client requests for each file. */
const requested = [
  '@rendition/thumbnail',
  '@preview',
  '@convert?type=text/plain',
  '@convert?type=application/pdf',
  '@convert?type=text/html',
];

async function call({ url }: Running, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    ...init,
    headers: { authorization, ...init.headers },
  });
  // A 501 means that a program is not installed, and a 503 that the file waited too long in the queue.
  if (response.status >= 500 && ![501, 503].includes(response.status))
    throw new Error(`${path}: ${response.status}`);
  return response;
}

/** Uploads a file and creates a document with it. @returns the id of the document */
async function lay(server: Running, { name, type, bytes }: Bomb): Promise<string> {
  const batch = (await (await call(server, 'upload', { method: 'POST' })).json()) as { batchId: string };
  await call(server, `upload/${batch.batchId}/0`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      'x-file-name': encodeURIComponent(name),
      'x-file-type': type,
      'content-type': 'application/octet-stream',
    },
  });
  const made = await call(server, 'path/default-domain/workspaces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      'entity-type': 'document',
      type: 'File',
      name: 'bomb',
      properties: {
        'dc:title': name,
        'file:content': { 'upload-batch': batch.batchId, 'upload-fileId': '0' },
      },
    }),
  });
  if (made.status !== 201) throw new Error(`${name}: ${made.status} ${await made.text()}`);
  return ((await made.json()) as { uid: string }).uid;
}

interface Others {
  readonly count: number;
  /** The number of responses that had status 503 or contained only an icon. */
  readonly missed: number;
  readonly longest: number;
}

/**
 * Continuously requests thumbnails of other images, one after the other. @returns a function that stops the
 * requests
 */
function others(server: Running): () => Promise<Others> {
  let [isOver, count, missed, longest] = [false, 0, 0, 0];
  const work = async (): Promise<void> => {
    while (!isOver) {
      const background = { r: count % 256, g: (count >> 8) % 256, b: 90 };
      const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background } })
        .jpeg()
        .toBuffer();
      const id = await lay(server, { name: `${count}.jpg`, type: 'image/jpeg', bytes });
      const start = performance.now();
      const response = await call(server, `id/${id}/@rendition/thumbnail`);
      if (response.headers.get('content-type') !== 'image/jpeg') missed += 1;
      await response.arrayBuffer();
      longest = Math.max(longest, performance.now() - start);
      count += 1;
    }
  };
  const working = work();
  return async () => {
    isOver = true;
    await working;
    return { count, missed, longest };
  };
}

/**
 * Requests all renditions and conversions of a file.
 * @returns the longest response time in seconds, and the statuses
 */
async function time(server: Running, bomb: Bomb): Promise<{ longest: number; found: string }> {
  const id = await lay(server, bomb);
  let longest = 0;
  const found: string[] = [];
  for (const what of requested) {
    const start = performance.now();
    const response = await call(server, `id/${id}/${what}`);
    await response.arrayBuffer();
    longest = Math.max(longest, (performance.now() - start) / 1_000);
    const isIcon = what === requested[0] && response.headers.get('content-type')?.startsWith('image/svg');
    found.push(isIcon ? 'icon' : String(response.status));
  }
  return { longest, found: found.join(' ') };
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const damagedFiles: Bomb[] = [];
  for (const [name, { type, of }] of Object.entries(fileKinds))
    damagedFiles.push(...damaged(name, type, await of()));
  const files = [...(await bombs()), ...damagedFiles];
  const server = await startOurs({
    DATA_DIR: folder,
    ...(!values.programs && { CONVERTER_FOLDERS: 'none' }),
  });
  const [stopWatch, stopOthers] = [await watch(server), others(server)];
  const slow: string[] = [];
  const inTurn = pLimit(1);
  await Promise.all(
    files.map((bomb) =>
      inTurn(async () => {
        const { longest, found } = await time(server, bomb);
        console.log(`${longest.toFixed(1).padStart(5)} s  ${found.padEnd(20)} ${bomb.name}`);
        if (longest > goals.seconds) slow.push(bomb.name);
      }),
    ),
  );
  const { count, missed, longest } = await stopOthers();
  const { live, memory } = await stopWatch();
  const p99 = live[Math.floor(live.length * 0.99)] ?? Number.NaN;
  console.log(`${files.length} files; longer than ${goals.seconds} s: ${slow.join(', ') || 'none'}`);
  console.log(
    `/health/live p99 ${p99.toFixed(0)} ms of ${live.length} (goal ${goals.live}), ${memory.toFixed(0)} MB peak`,
  );
  console.log(
    `${count} other thumbnails, the slowest after ${(longest / 1_000).toFixed(1)} s; missing: ${missed}`,
  );
  await server.stop();
  if (slow.length > 0 || missed > 0 || !(p99 <= goals.live)) process.exitCode = 1;
}

await toTheEnd(run);
