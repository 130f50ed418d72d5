import { setTimeout as wait } from 'node:timers/promises';
import { type Ask, asker, type Seen } from './asker.ts';

/** Milliseconds between two requests of a client. */
const pause = 20;

/** A user with a folder of its own, who counts in its title, and puts files into it. */
export interface Writer {
  readonly user: string;
  readonly path: string;
  /** The last number that was acknowledged, and the last one that was sent. */
  acknowledged: number;
  sent: number;
  /** How many were acknowledged. */
  titles: number;
  /** Names of files that were acknowledged. */
  uploads: string[];
}

/** What clients share with the benchmark. */
export interface Load {
  readonly seen: () => Seen;
  readonly isOver: () => boolean;
}

const document = (more: object): object => ({ 'entity-type': 'document', ...more });

/** The last number in the title of a document. */
export const numberIn = (text: string): number =>
  Number(/-(\d+)$/.exec((JSON.parse(text) as { title: string }).title)?.[1]);

/** The bytes of a file, some 50 KB. */
export const contentOf = (name: string): string => `${name}\n`.repeat(2_000);

export const blobOf = ({ path }: Writer, name: string): string => `/path${path}/${name}/@blob/file:content`;

/** Counts in the title of its folder. */
async function rename(ask: Ask, writer: Writer): Promise<void> {
  writer.sent += 1;
  const number = writer.sent;
  const properties = { 'dc:title': `${writer.user}-${number}` };
  const { status } = await ask('PUT', `/path${writer.path}`, document({ properties }));
  if (status !== 200) return;
  writer.acknowledged = number;
  writer.titles += 1;
}

/** @returns whether the answer has what was acknowledged. */
async function readsTitle(ask: Ask, { path, acknowledged }: Writer): Promise<boolean> {
  const { status, text } = await ask('GET', `/path${path}`);
  return status !== 200 || numberIn(text) >= acknowledged;
}

async function findsTitle(ask: Ask, { user, acknowledged }: Writer): Promise<boolean> {
  const query = encodeURIComponent(`SELECT * FROM Document WHERE dc:title = '${user}-${acknowledged}'`);
  const { status, text } = await ask('GET', `/search/lang/NXQL/execute?query=${query}`);
  return status !== 200 || (JSON.parse(text) as { resultsCount: number }).resultsCount === 1;
}

/**
 * Puts a file into its folder: a batch, the bytes, the document and the bytes again are four requests, which
 * any node may get.
 */
async function upload(ask: Ask, writer: Writer): Promise<boolean> {
  const name = `file-${writer.sent}`;
  const batch = await ask('POST', '/upload');
  if (batch.status !== 201) return true;
  const { batchId } = JSON.parse(batch.text) as { batchId: string };
  const bytes = { 'content-type': 'text/plain', 'x-file-name': name, 'x-file-type': 'text/plain' };
  const sent = await ask('POST', `/upload/${batchId}/0`, contentOf(name), bytes);
  if (sent.status !== 201) return true;
  const properties = { 'dc:title': name, 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } };
  const made = await ask('POST', `/path${writer.path}`, document({ type: 'File', name, properties }));
  if (made.status !== 201) return true;
  writer.uploads.push(name);
  const { status, text } = await ask('GET', blobOf(writer, name));
  return status === 200 ? text === contentOf(name) : status !== 404;
}

/** Writes, reads and searches its own folder, and now and then puts a file into it. */
export async function write(
  url: string,
  writer: Writer,
  { seen, isOver, keepsCookies }: Load & { readonly keepsCookies: boolean },
): Promise<void> {
  const ask = asker(url, writer.user, keepsCookies, seen);
  const expect = (isNew: boolean): void => {
    if (!isNew) seen().old += 1;
  };
  for (let turn = 0; !isOver(); turn += 1) {
    await rename(ask, writer);
    expect(await readsTitle(ask, writer));
    // A title that was sent and not acknowledged may have been written.
    if (turn % 4 === 0 && writer.acknowledged === writer.sent) expect(await findsTitle(ask, writer));
    if (turn % 5 === 0) expect(await upload(ask, writer));
    await wait(pause);
  }
}

/** Reads and searches what others write. */
export async function read(
  url: string,
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
