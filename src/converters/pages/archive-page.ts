import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import escapeHtml from 'escape-html';
import type { Converter } from '../converter.ts';
import { asPage } from '../texts/html-pages.ts';
import { isTar, limited, unpackedBeginning } from '../texts/tar-text.ts';
import { entryLimit, type ListedFile, listedFiles } from '../texts/unpacked.ts';
import { sizeText } from './size-text.ts';

/** The maximum number of files that a page lists. A note says if there are more. */
const maxListed = 2_000;

const rules = `body{margin:0}table{width:100%;font-size:15px}td{border-width:1px 0}td+td{white-space:nowrap;text-align:right;opacity:.75}
tr:first-child td{border-top:0}p{margin:.75rem}`;

const dayOf = (date: Date | undefined): string =>
  date && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : '';

const isFolder = ({ name }: ListedFile): boolean => name.endsWith('/');

function rowOf(file: ListedFile): string {
  const sign = isFolder(file) ? '📁' : file.isEncrypted ? '🔒' : '📄';
  const size = isFolder(file) ? '' : sizeText(file.size);
  return `<tr><td>${sign} ${escapeHtml(file.name)}</td><td>${size}</td><td>${dayOf(file.modified)}</td></tr>`;
}

/** Sorts paths so that the contents of a folder follow it. */
const byPath = (one: ListedFile, other: ListedFile): number =>
  one.name.replaceAll('/', '\0') < other.name.replaceAll('/', '\0') ? -1 : 1;

const listPage = (files: readonly ListedFile[]) =>
  asPage(
    `<table>${files.toSorted(byPath).slice(0, maxListed).map(rowOf).join('\n')}</table>${files.length > maxListed ? '<p>…</p>' : ''}`,
    rules,
  );

async function filesInTar(stream: Readable): Promise<ListedFile[]> {
  const { default: tar } = await import('tar-stream');
  const extract = tar.extract();
  const reading = pipeline(stream, limited, extract);
  reading.catch(() => {}); // the iteration below fails with the same error
  const files: ListedFile[] = [];
  for await (const entry of extract) {
    const { name, size = 0, mtime } = entry.header;
    if (files.length >= entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    files.push({ name, size, modified: mtime, isEncrypted: false });
    entry.resume();
  }
  await reading;
  return files;
}

/** Converts zip and tar archives to a list of their files. */
export const archivePages: readonly Converter[] = [
  {
    name: 'zip2html',
    makes: 'html',
    takes: ['application/zip', 'application/x-zip-compressed', 'application/java-archive'],
    convert: async ({ file }) => listPage(await listedFiles(file)),
  },
  {
    name: 'tar2html',
    makes: 'html',
    takes: ['application/x-tar', 'application/x-gtar', 'application/x-ustar'],
    convert: async ({ file }) => listPage(await filesInTar(createReadStream(file))),
  },
  {
    name: 'gzip2html',
    makes: 'html',
    takes: ['application/gzip', 'application/x-gzip', 'application/x-compressed-tar'],
    convert: async ({ file }) => {
      if (!isTar(await unpackedBeginning(file))) throw new Error('the file is not a tar archive');
      return listPage(await filesInTar(createReadStream(file).pipe(createGunzip())));
    },
  },
];
