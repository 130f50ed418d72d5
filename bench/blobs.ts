import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { s3Environment } from '../test/support/s3-server.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { memory, type Running, startNode } from './processes.ts';
import { median } from './table.ts';

const MB = 1_000_000;
const headers = { authorization, 'content-type': 'application/json' };
const bytes = { ...headers, 'content-type': 'application/octet-stream' };

/**
 * Sends a request on a new connection. Resolves with the text of the response, or with its length if it is binary.
 */
async function send(
  url: string,
  {
    method = 'GET',
    headers: given = {},
    body = Buffer.alloc(0),
  }: { method?: string; headers?: object; body?: Buffer } = {},
): Promise<{ text: string; length: number }> {
  const sent = request(url, { method, agent: false, headers: { ...given, 'content-length': body.length } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let [text, length] = ['', 0];
  for await (const chunk of response) {
    length += chunk.length;
    if (length < MB) text += chunk;
  }
  if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${text}`);
  return { text, length };
}

const post = (url: string, path: string, body: object) =>
  send(`${url}/api/v1${path}`, { method: 'POST', headers, body: Buffer.from(JSON.stringify(body)) });

const begin = async (url: string): Promise<string> =>
  JSON.parse((await post(url, '/upload', {})).text).batchId;

/** Uploads a file. A file that is larger than a chunk is uploaded in chunks. */
async function upload(
  url: string,
  batch: string,
  index: number,
  body: Buffer,
  chunk = body.length,
): Promise<void> {
  const count = Math.ceil(body.length / chunk);
  for (let at = 0; at < count; at += 1) {
    const parts = {
      'x-upload-type': 'chunked',
      'x-upload-chunk-index': at,
      'x-upload-chunk-count': count,
      'x-file-size': body.length,
    };
    await send(`${url}/api/v1/upload/${batch}/${index}`, {
      method: 'POST',
      headers: { ...bytes, 'x-file-name': 'a.bin', ...(count > 1 && parts) },
      body: body.subarray(at * chunk, (at + 1) * chunk),
    });
  }
}

async function create(url: string, parent: string, name: string, batch?: string): Promise<string> {
  const content = batch && { 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } };
  const body = {
    'entity-type': 'document',
    type: batch ? 'File' : 'Folder',
    name,
    properties: content ?? {},
  };
  return JSON.parse((await post(url, `/path${parent}`, body)).text).uid;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures uploads and downloads of 100 MB, alternating between Quire and the hand-written file server. */
async function speed(name: string, ours: Running, rival: Running, goal: number): Promise<void> {
  const file = randomBytes(100 * MB);
  const [ups, downs, seconds]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 7; round += 1) {
    randomBytes(16).copy(file);
    const batch = await begin(ours.url);
    const up = await timed(() => upload(ours.url, batch, 0, file));
    const rivalUp = await timed(() => send(`${rival.url}/file-${round}`, { method: 'PUT', body: file }));
    const uid = await create(ours.url, '/default-domain/workspaces', `file ${round}`, batch);
    const down = await timed(() => send(`${ours.url}/api/v1/id/${uid}/@blob`, { headers }));
    const rivalDown = await timed(() => send(`${rival.url}/file-${round}`));
    if (round === 0) continue; // The first round warms up the servers.
    ups.push(rivalUp / up);
    downs.push(rivalDown / down);
    seconds.push(up, down);
  }
  const range = (values: number[]) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;
  console.log(
    `${name}: 100 MB up ${range(ups)}, down ${range(downs)} of the rival (goal ${goal}); ${median(seconds).toFixed(0)} ms`,
  );
}

/** Measures the peak memory of a process while `work` runs, in MB. */
async function highest(pid: number, work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, (await memory(pid)) ?? 0);
      await wait(100);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return most;
}

/** Uploads 50 MB files in 10 MB chunks, downloads them with range requests, and exports them as an archive. */
async function large(name: string, { url, pid }: Running, gigabytes: number): Promise<void> {
  const file = randomBytes(50 * MB);
  await create(url, '/default-domain/workspaces', 'large');
  await wait(3_000);
  const before = (await memory(pid)) ?? 0;
  const uids: string[] = [];
  const up = await highest(pid, async () => {
    for (let index = 0; index < gigabytes * 20; index += 1) {
      randomBytes(16).copy(file);
      const batch = await begin(url);
      await upload(url, batch, 0, file, 10 * MB);
      uids.push(await create(url, '/default-domain/workspaces/large', `file ${index}`, batch));
    }
  });
  const down = await highest(pid, async () => {
    for (const uid of uids)
      for (let start = 0; start < file.length; start += 10 * MB) {
        const range = `bytes=${start}-${start + 10 * MB - 1}`;
        await send(`${url}/api/v1/id/${uid}/@blob`, { headers: { ...headers, range } });
      }
  });
  let length = 0;
  const out = await highest(pid, async () => {
    const address = `${url}/api/v1/path/default-domain/workspaces/large/@rendition/zipTreeExport`;
    ({ length } = await send(address, { headers }));
  });
  const more = (most: number) => `+${(most - before).toFixed(0)} MB`;
  console.log(
    `${name}: ${gigabytes} GB: memory ${before.toFixed(0)} MB, up ${more(up)}, down ${more(down)}, archive of ${(length / 1e9).toFixed(2)} GB ${more(out)} (goal +80)`,
  );
}

/** Node options that make the server run a full garbage collection on SIGUSR2. */
const collecting = ['--expose-gc', '--import', 'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc()})'];

/**
 * Measures the memory in use after a full garbage collection, in MB. Free heap memory is excluded, because V8 keeps
 * a varying amount of it, up to 100 MB.
 */
async function retained({ url, pid }: Running): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await wait(5_000);
  const { text } = await send(`${url}/metrics`, { headers });
  const heap = (name: string) =>
    Number(new RegExp(`^nodejs_heap_size_${name}_bytes (.+)$`, 'm').exec(text)?.[1]) / 1024 ** 2;
  return ((await memory(pid)) ?? Number.NaN) - (heap('total') - heap('used'));
}

/**
 * Measures many small uploads by four clients: the memory still in use afterwards, and the peak during the uploads.
 */
async function small(name: string, server: Running, count: number): Promise<void> {
  const { url, pid } = server;
  const some = async (files: number) => {
    const client = async () => {
      const batch = await begin(url);
      for (let index = 0; index < files; index += 1) await upload(url, batch, index, randomBytes(1_000));
    };
    await Promise.all(Array.from({ length: 4 }, client));
  };
  await some(250);
  const before = await retained(server);
  for (let sent = 0; sent < count; ) {
    const part = Math.min(10_000, count - sent);
    const most = await highest(pid, async () => {
      for (let more = 0; more < part; more += 1_000) await some(250);
    });
    sent += part;
    const after = await retained(server);
    console.log(
      `${name}: ${sent} small uploads: memory ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB (goal +50), peak ${most.toFixed(0)} MB`,
    );
  }
}

const rivalProgram = ['--import', 'tsx', fileURLToPath(new URL('./rival-files.ts', import.meta.url))];

await toTheEnd(async () => {
  const { values } = parseArgs({
    options: {
      gigabytes: { type: 'string', default: '10' },
      uploads: { type: 'string', default: '10000' },
      blobs: { type: 'string', default: 'folder' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const FOLDER = join(folder, 'rival');
  await mkdir(FOLDER);
  const name = values.blobs;
  const limits = { UPLOAD_QUOTA: '1000gb', TRANSACTION_TIMEOUT: '3600' };
  let [more, also]: Array<Record<string, string>> = [{}, {}];
  if (name === 's3') {
    const s3 = await startNode(rivalProgram, {
      ...s3Environment,
      FOLDER: join(folder, 's3'),
      S3_SERVER: 'yes',
    });
    const { text: ENDPOINT } = await send(s3.url);
    more = { ...s3Environment, BLOB_STORE: `s3://quire/bench?endpoint=${ENDPOINT}&pathStyle=true` };
    also = { ...s3Environment, ENDPOINT };
  }
  const ours = await startOurs(
    { DATA_DIR: join(folder, 'data'), ...limits, ...more },
    { nodeOptions: collecting },
  );
  const rival = await startNode(rivalProgram, { FOLDER, ...also });
  await speed(name, ours, rival, name === 's3' ? 0.7 : 0.6);
  if (Number(values.uploads) > 0) await small(name, ours, Number(values.uploads));
  if (Number(values.gigabytes) > 0) await large(name, ours, Number(values.gigabytes));
});
