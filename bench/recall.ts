import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, extname, join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { convert } from 'html-to-text';
import pMap from 'p-map';
import { encryptedFault } from '../src/converters/encrypted.ts';
import { requireUnencrypted } from '../src/converters/require-unencrypted.ts';
import { textLimit } from '../src/converters/texts/text-limit.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';

/**
 * Measures how many words in files can be found by searching. Debian's text extractors list the words of the files in
 * the given folders; the result is the share of these words that a search over HTTP finds, for each kind of file.
 */

const { values, positionals: folders } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    missed: { type: 'string', default: '30' },
    programs: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** The minimum share of words that must be found for each kind of file. */
const goal = 0.97;

/**
 * The number of words in the first search for a file. If the search does not find the file, it is repeated with each
 * half of these words.
 */
const together = 64;

/**
 * The maximum number of words in a search for any of several words. It is low because an unusual word can count as
 * several words.
 */
const anyOf = 16;

/**
 * The number of characters of a text that are compared. The server truncates longer texts, and its text contains more
 * than the extractor's, for example unformatted numbers.
 */
const compared = textLimit / 2;

/** Text that an extractor prints although the document does not show it. */
interface Fault {
  readonly reason: string;
  readonly text: RegExp;
}

interface Extractor {
  /** The extensions of the files. The first extension is the name of the kind. */
  readonly kind: readonly string[];
  readonly program: string;
  /** The Debian package that contains the program. */
  readonly package: string;
  readonly args: (file: string) => readonly string[];
  /** Converts the output of the program to plain text. */
  readonly textOf?: (output: string) => string;
  readonly faults?: readonly Fault[];
}

const fieldCodes: Fault = {
  reason: 'prints the codes of fields next to their results',
  text: /\bMERGEFIELD +\w+|\b(HYPERLINK|PAGEREF|REF|TOC|SEQ|INCLUDEPICTURE|MERGEFORMAT|CHARFORMAT)\b( *\\[a-z]( *"[^"]*")?| *"[^"]*"| *_\w+)*/g,
};

/**
 * Matches text that was decoded with the wrong code page: runs of accented letters that occur in no language.
 */
const wrongCodePage: Fault = {
  reason: 'decodes single-byte text in other scripts as Windows-1252',
  text: /(?<![\p{L}\p{M}])[a-z\u00c0-\u024f]*[\u00c0-\u00ff]{3,}[a-z\u00c0-\u024f]*/giu,
};

const openDocument = (...kind: string[]): Extractor => ({
  kind,
  program: 'odt2txt',
  package: 'odt2txt',
  args: (file) => ['--width=-1', '--encoding=UTF-8', file],
  faults: [
    { reason: 'prints the names of images', text: /\[-- Image: .*? --\]/g },
    { reason: 'underlines headings', text: /^[=-]+$/gm },
  ],
});

const extractors: readonly Extractor[] = [
  {
    kind: ['doc'],
    program: 'catdoc',
    package: 'catdoc',
    args: (file) => ['-w', '-d', 'utf-8', file],
    faults: [fieldCodes, wrongCodePage],
  },
  {
    kind: ['xls'],
    program: 'xls2csv',
    package: 'catdoc',
    args: (file) => ['-d', 'utf-8', file],
    faults: [{ reason: 'prints this for cells that contain an error', text: /"ERROR"/g }, wrongCodePage],
  },
  {
    kind: ['ppt', 'pps'],
    program: 'catppt',
    package: 'catdoc',
    args: (file) => ['-d', 'utf-8', file],
    faults: [
      {
        reason: 'prints the names of slide designs',
        text: /^(Office Theme|Default Design|Custom Design|Blank.*|.* BG)$/gm,
      },
    ],
  },
  {
    kind: ['pdf'],
    program: 'pdftotext',
    package: 'poppler-utils',
    args: (file) => ['-q', '-enc', 'UTF-8', file, '-'],
    faults: [
      {
        reason: 'invents letters for fonts without a mapping to Unicode',
        text: /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]{0,40}[\u0200-\u02af\u0370-\u10ff])(?=[\p{L}\p{M}]{0,40}[a-z\u00c0-\u01ff])[\p{L}\p{M}]+/gu,
      },
    ],
  },
  {
    kind: ['rtf'],
    program: 'unrtf',
    package: 'unrtf',
    // In its plain text output, the program drops all characters that are not ASCII.
    args: (file) => ['--html', '--nopict', file],
    textOf: (html) =>
      convert(html.replace(/<head>[\s\S]*?<\/head>/, ''), {
        wordwrap: false,
        limits: { maxInputLength: html.length },
        selectors: [
          { selector: 'a', options: { ignoreHref: true } },
          { selector: 'img', format: 'skip' },
        ],
      }),
    faults: [fieldCodes],
  },
  {
    kind: ['docx', 'docm', 'dotx'],
    program: 'docx2txt',
    package: 'docx2txt',
    args: (file) => [file, '-'],
    faults: [
      { reason: 'prints the URLs of links', text: /\[HYPERLINK: .*?\]/g },
      { reason: 'prints the markup of shapes', text: /<v:[^>]*(>|$)|^[A-Za-z0-9+/=]{60,}$/gm },
    ],
  },
  openDocument('odt', 'ott', 'sxw'),
  openDocument('ods', 'ots', 'sxc'),
  openDocument('odp', 'otp', 'sxi'),
];

const run = promisify(execFile);

const isInstalled = async (program: string): Promise<boolean> => {
  const found = await Promise.all(
    (process.env.PATH ?? '').split(delimiter).map((folder) =>
      access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
};

/**
 * Returns the distinct words of a text: those with at least three letters and no digits. Very long runs of letters
 * are excluded, because they come from scripts without spaces or are not words.
 */
function wordsOf(text: string): string[] {
  const all = text.slice(0, compared).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const isWord = (word: string) =>
    /^[\p{L}\p{M}]{3,40}$/u.test(word) && (word.match(/\p{L}/gu) ?? []).length > 2;
  return [...new Set(all.filter(isWord).map((word) => word.normalize('NFC').toLowerCase()))];
}

/** Returns whether a file is encrypted. odt2txt does not detect this. */
const isEncrypted = (file: string): Promise<boolean> =>
  requireUnencrypted(file).then(
    () => false,
    (error: unknown) => error instanceof Error && error.message === encryptedFault,
  );

/**
 * Returns the words that an extractor finds. Returns undefined if the extractor fails, for example because the file
 * is encrypted.
 */
async function extracted(file: string, extractor: Extractor): Promise<string[] | undefined> {
  const { program, args, textOf = (output) => output, faults = [] } = extractor;
  if (await isEncrypted(file)) return undefined;
  try {
    const { stdout } = await run(program, [...args(file)], { maxBuffer: 500_000_000, timeout: 120_000 });
    const text = faults.reduce((left, fault) => left.replace(fault.text, ' '), textOf(stdout));
    return wordsOf(text);
  } catch {
    return undefined;
  }
}

interface Api {
  readonly base: string;
}

const request = ({ base }: Api, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${base}/${path}`, { ...init, headers: { authorization, ...init.headers } });

async function call(api: Api, path: string, init?: RequestInit): Promise<Response> {
  const response = await request(api, path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const json = { 'content-type': 'application/json' };

/** Creates a document with a file. The file name contains no words. @returns the id of the document */
async function lay(api: Api, file: string, number: number): Promise<string> {
  const { batchId } = (await (await call(api, 'upload', { method: 'POST' })).json()) as { batchId: string };
  await call(api, `upload/${batchId}/0`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-file-name': `${number}${extname(file)}`,
    },
    body: new Uint8Array(await readFile(file)),
  });
  const document = {
    'entity-type': 'document',
    type: 'File',
    name: `${number}`,
    properties: {
      'dc:title': `${number}`,
      'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' },
    },
  };
  const made = await call(api, 'path/default-domain/workspaces', {
    method: 'POST',
    headers: json,
    body: JSON.stringify(document),
  });
  return ((await made.json()) as { uid: string }).uid;
}

/**
 * Returns whether a search finds a document. If there are too many words for one query, such as a run of Chinese
 * characters, the document counts as not found.
 */
async function isFound(api: Api, id: string, text: string): Promise<boolean> {
  const query = `SELECT * FROM Document WHERE ecm:uuid = '${id}' AND ecm:fulltext = '${text}'`;
  const response = await request(api, `search/execute?query=${encodeURIComponent(query)}`);
  if (!response.ok && response.status !== 400) throw new Error(`${query}: ${response.status}`);
  return ((await response.json()) as { resultsCount?: number }).resultsCount === 1;
}

/** Returns those words of a document for which a search does not find the document. */
async function missedWords(api: Api, id: string, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const quoted = words.map((word) => `"${word}"`);
  if (await isFound(api, id, quoted.join(' '))) return [];
  if (words.length === 1) return [...words];
  const half = words.length >> 1;
  const hasAny = words.length > anyOf || (await isFound(api, id, quoted.join(' OR ')));
  if (!hasAny) return [...words];
  return [
    ...(await missedWords(api, id, words.slice(0, half))),
    ...(await missedWords(api, id, words.slice(half))),
  ];
}

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

/** A file whose words are compared. */
interface Compared {
  readonly file: string;
  readonly kind: string;
  readonly words: readonly string[];
}

const extensionOf = (file: string): string => extname(file).slice(1).toLowerCase();

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function comparedFiles(): Promise<Compared[]> {
  const found = (await Promise.all(folders.map(filesBelow))).flat();
  const usable = new Map<string, Extractor>();
  for (const extractor of extractors) {
    if (await isInstalled(extractor.program))
      for (const extension of extractor.kind) usable.set(extension, extractor);
    else
      console.log(
        `${extractor.program} is not installed (Debian package ${extractor.package}): no ${extractor.kind[0]} files are compared`,
      );
  }
  const all: Compared[] = [];
  const unread: string[] = [];
  for (const file of found) {
    const extractor = usable.get(extensionOf(file));
    const [kind = ''] = extractor?.kind ?? [];
    if (!extractor || (values.only && !values.only.split(',').includes(kind))) continue;
    const words = await extracted(file, extractor);
    if (words && words.length > 0) all.push({ file, kind, words });
    else unread.push(basename(file));
  }
  if (unread.length > 0)
    console.log(`${unread.length} files in which the extractors found no words: ${unread.join(', ')}`);
  return all;
}

/** The words of a file that a search did not find. */
interface Recalled extends Compared {
  readonly missed: readonly string[];
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

function report(all: readonly Recalled[]): string[] {
  const root = resolve('.');
  const bad: string[] = [];
  const kinds = [...new Set(extractors.flatMap(({ kind }) => kind[0] ?? []))];
  const rows = kinds.flatMap((kind) => {
    const files = all.filter((each) => each.kind === kind);
    if (files.length === 0) return [];
    const words = files.reduce((sum, each) => sum + each.words.length, 0);
    const missed = files.reduce((sum, each) => sum + each.missed.length, 0);
    const share = 1 - missed / words;
    if (share < goal) bad.push(kind);
    return [{ kind, files, words, missed, share }];
  });
  console.log('| Kind | Files | Words | Missed | Found |\n| --- | --: | --: | --: | --: |');
  for (const { kind, files, words, missed, share } of rows)
    console.log(`| ${kind} | ${files.length} | ${words} | ${missed} | ${percent(share)} |`);
  for (const { kind, files } of rows) {
    const incomplete = files
      .filter((each) => each.missed.length > 0)
      .sort((one, other) => other.missed.length - one.missed.length);
    if (incomplete.length > 0) console.log(`\n${kind}: files with missed words`);
    for (const { file, words, missed } of incomplete) {
      const shown = missed.slice(0, Number(values.missed)).join(' ');
      console.log(`  ${missed.length} of ${words.length} in ${relative(root, file)}: ${shown}`);
    }
  }
  return bad;
}

async function main(): Promise<void> {
  if (folders.length === 0) throw new Error('usage: npx tsx bench/recall.ts FOLDER…');
  const files = await comparedFiles();
  const data = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(data, { recursive: true, force: true }));
  const server = await startOurs({
    DATA_DIR: data,
    ...(!values.programs && { CONVERTER_FOLDERS: 'none' }),
  });
  const api = { base: `${server.url}/api/v1` };
  const laid = await pMap(
    files,
    async (each, number) => ({ ...each, id: await lay(api, each.file, number) }),
    { concurrency: 4 },
  );
  if (!(await isIndexed(api.base, 1_800))) throw new Error('The files were not indexed within half an hour.');
  const recalled = await pMap(
    laid,
    async ({ id, ...each }): Promise<Recalled> => {
      const missed: string[] = [];
      for (const words of chunksOf(each.words, together)) missed.push(...(await missedWords(api, id, words)));
      return { ...each, missed };
    },
    { concurrency: 4 },
  );
  const bad = report(recalled);
  if (bad.length === 0) console.log(`\nAt least ${percent(goal)} of the words of each kind are found.`);
  else console.log(`\nLess than ${percent(goal)} of the words are found: ${bad.join(', ')}`);
  await server.stop();
  if (bad.length > 0) process.exitCode = 1;
}

await toTheEnd(main);
