import { setTimeout as wait } from 'node:timers/promises';
import { type Address, type Answer, type Ask, asker, nothingSeen, type Seen } from './asker.ts';
import { makeUser } from './users.ts';

/** The pause between two requests of a client, in milliseconds. */
const pause = 20;

/** A user who writes increasing numbers into the title of a folder, and adds files to the folder. */
export interface Writer {
  readonly user: string;
  readonly path: string;
  /** The last number whose write was acknowledged. */
  acknowledged: number;
  /** The last number that was sent. */
  sent: number;
  /** The number of acknowledged title changes. */
  titles: number;
  /** The names of the acknowledged files. */
  uploads: string[];
}

/** The state that the clients share with the benchmark. */
export interface Load {
  readonly seen: () => Seen;
  readonly isOver: () => boolean;
}

/** Creates a writer and the writer's folder. @param url the URL of a node */
export const newWriter = async (url: string, user: string): Promise<Writer> => ({
  user,
  path: await makeUser(url, user),
  acknowledged: 0,
  sent: 0,
  titles: 0,
  uploads: [],
});

const document = (more: object): object => ({ 'entity-type': 'document', ...more });

/** Returns the last number in the title of a document. */
const numberIn = (text: string): number =>
  Number(/-(\d+)$/.exec((JSON.parse(text) as { title: string }).title)?.[1]);

/** Returns the content of a file, about 50 kB. */
const contentOf = (name: string): string => `${name}\n`.repeat(2_000);

const blobOf = ({ path }: Writer, name: string): string => `/path${path}/${name}/@blob/file:content`;

/** Writes the next number into the title of the writer's folder. */
async function rename(ask: Ask, writer: Writer): Promise<void> {
  writer.sent += 1;
  const number = writer.sent;
  const properties = { 'dc:title': `${writer.user}-${number}` };
  const { status } = await ask('PUT', `/path${writer.path}`, document({ properties }));
  if (status !== 200) return;
  writer.acknowledged = number;
  writer.titles += 1;
}

/** A read or search of the user's own writes, and the expected result. */
interface Comparison {
  readonly what: string;
  readonly answer: Answer;
  readonly isOld: boolean;
  readonly found: string;
  readonly expected: string;
}

async function readTitle(ask: Ask, { path, acknowledged }: Writer): Promise<Comparison> {
  const answer = await ask('GET', `/path${path}`);
  const found = answer.status === 200 ? numberIn(answer.text) : Number.NaN;
  const isOld = found < acknowledged;
  return { what: `GET ${path}`, answer, isOld, found: `${found}`, expected: `${acknowledged}` };
}

async function findTitle(ask: Ask, { user, acknowledged }: Writer): Promise<Comparison> {
  const title = `${user}-${acknowledged}`;
  const query = encodeURIComponent(`SELECT * FROM Document WHERE dc:title = '${title}'`);
  const answer = await ask('GET', `/search/lang/NXQL/execute?query=${query}`);
  const count =
    answer.status === 200 ? (JSON.parse(answer.text) as { resultsCount: number }).resultsCount : 1;
  const found = `${count} documents`;
  return { what: `search for ${title}`, answer, isOld: count !== 1, found, expected: '1 document' };
}

/**
 * Adds a file to the writer's folder. This takes four requests, each of which can reach any node: they create the
 * upload batch, send the bytes, create the document, and read the bytes.
 */
async function upload(ask: Ask, writer: Writer): Promise<Comparison | undefined> {
  const name = `file-${writer.sent}`;
  const batch = await ask('POST', '/upload');
  if (batch.status !== 201) return undefined;
  const { batchId } = JSON.parse(batch.text) as { batchId: string };
  const bytes = { 'content-type': 'text/plain', 'x-file-name': name, 'x-file-type': 'text/plain' };
  const sent = await ask('POST', `/upload/${batchId}/0`, contentOf(name), bytes);
  if (sent.status !== 201) return undefined;
  const properties = { 'dc:title': name, 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } };
  const made = await ask('POST', `/path${writer.path}`, document({ type: 'File', name, properties }));
  if (made.status !== 201) return undefined;
  writer.uploads.push(name);
  const answer = await ask('GET', blobOf(writer, name));
  const { status, text } = answer;
  const isOld = status === 404 || (status === 200 && text !== contentOf(name));
  const what = `GET ${blobOf(writer, name)}`;
  return { what, answer, isOld, found: `${status}, ${text.length} characters`, expected: 'the file' };
}

interface WriterLoad extends Load {
  readonly keepsCookies: boolean;
  /** Explains why a response is outdated, based on its time and the replica's position. */
  readonly explain: (answer: Answer) => Promise<string>;
}

function describe(
  { what, answer, found, expected }: Comparison,
  keepsCookies: boolean,
  explanation: string,
): string {
  const { node, isPositioned, position, began, ended } = answer;
  const caller = keepsCookies ? 'with the cookie' : 'without a cookie';
  const server = isPositioned ? 'the primary' : 'a replica';
  const time = `${(ended - began).toFixed(0)} ms`;
  return (
    `${what} ${caller} found ${found}, not ${expected}: node ${node} responded from ${server} within ${time}; ` +
    `the user's position was ${position || 'unknown'}; ${explanation}`
  );
}

/** Writes, reads and searches the writer's own folder, and sometimes adds a file. */
export async function write(
  url: Address,
  writer: Writer,
  { seen, isOver, keepsCookies, explain }: WriterLoad,
): Promise<void> {
  const ask = asker(url, writer.user, keepsCookies, seen);
  const compare = async (comparison: Comparison | undefined): Promise<void> => {
    if (!comparison) return;
    const now = seen();
    now.compared += 1;
    if (!comparison.isOld) return;
    if (comparison.answer.searchDelay > 0) now.early += 1;
    else now.old.push(describe(comparison, keepsCookies, await explain(comparison.answer)));
  };
  for (let turn = 0; !isOver(); turn += 1) {
    await rename(ask, writer);
    await compare(await readTitle(ask, writer));
    // A title that was sent but not acknowledged may or may not have been written.
    if (turn % 4 === 0 && writer.acknowledged === writer.sent) await compare(await findTitle(ask, writer));
    if (turn % 5 === 0) await compare(await upload(ask, writer));
    await wait(pause);
  }
}

/** Reads and searches the folders of other users. */
export async function read(
  url: Address,
  user: string,
  paths: readonly string[],
  { seen, isOver }: Load,
): Promise<void> {
  const ask = asker(url, user, false, seen);
  for (let turn = 0; !isOver(); turn += 1) {
    await ask('GET', `/path${paths[turn % paths.length]}`);
    if (turn % 5 === 0)
      await ask('GET', `/search/lang/NXQL/execute?query=${encodeURIComponent('SELECT * FROM Folder')}`);
    await wait(pause);
  }
}

/** Finds titles and files that were acknowledged but are missing. */
export async function lost(url: string, all: readonly Writer[]): Promise<string[]> {
  const missing: string[] = [];
  for (const writer of all) {
    const { user, path, acknowledged, uploads } = writer;
    const ask = asker(url, user, false, nothingSeen);
    const isThere = ({ status, text }: Answer, isRight: (text: string) => boolean) =>
      status === 200 && isRight(text);
    const title = await ask('GET', `/path${path}`);
    if (!isThere(title, (text) => numberIn(text) >= acknowledged)) missing.push(`${user}-${acknowledged}`);
    for (const name of uploads)
      if (!isThere(await ask('GET', blobOf(writer, name)), (text) => text === contentOf(name)))
        missing.push(`${path}/${name}`);
  }
  return missing;
}

/** Users who write and read until the load ends. */
export interface RunningLoad {
  /** The observations since the last call of `reset`. */
  readonly seen: () => Seen;
  readonly reset: () => void;
  readonly end: () => Promise<void>;
}

/** Starts writers and one reader, who send each request to the next of several nodes. */
export function startLoad(urls: readonly string[], all: readonly Writer[], reader: string): RunningLoad {
  let now = nothingSeen();
  let isOver = false;
  const inTurn = (first: number): Address => {
    let count = first;
    return () => {
      count += 1;
      return urls[count % urls.length] ?? '';
    };
  };
  const state = { seen: () => now, isOver: () => isOver };
  const explain = async () => 'all nodes read from the primary';
  const clients = Promise.all([
    ...all.map((writer, index) =>
      write(inTurn(index), writer, { ...state, explain, keepsCookies: index % 2 === 0 }),
    ),
    read(
      inTurn(0),
      reader,
      all.map(({ path }) => path),
      state,
    ),
  ]);
  return {
    seen: () => now,
    reset: () => {
      now = nothingSeen();
    },
    end: async () => {
      isOver = true;
      await clients;
    },
  };
}
