import { fileKinds } from '../../test/support/file-kinds.ts';
import { type Bomb, damaged } from '../bomb-files.ts';
import type { Reproduction, Scene } from './reproductions.ts';
import type { Answer } from './sender.ts';

// Files that are damaged or expensive to index. They are uploaded, and requested in every form in which the server
// shows files.

type HostileFile = Bomb;

/** The sizes, in bytes, of the texts without spaces and of the largest text. */
const [wordBytes, textBytes] = [10_000_000, 70_000_000];

const forms = [
  '@rendition/thumbnail',
  '@preview',
  '@convert?type=text/plain',
  '@convert?type=application/pdf',
  '@convert?type=text/html',
];

/**
 * The pieces of a text that mixes scripts: with and without spaces, written from right to left, with combining
 * marks, and with joined letters.
 */
const mixed = [
  'Straße ŁÓDŹ ﬁnal ',
  '東京都庁の展望台は無料で入場できる。',
  'ภาษาไทยไม่มีช่องว่าง',
  'ສະບາຍດີ',
  'ភាសាខ្មែរ',
  'မြန်မာစာ',
  'مُحَمَّدٌ رَسُولٌ ',
  'שָׁלוֹם עוֹלָם ',
  'नमस्ते दुनिया ',
  '한국어문장 ',
  'e\u0301\u0323\u0302'.repeat(20),
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'ＦＵＬＬｗｉｄｔｈ ',
  '½㎏℃²',
  '\u00ad\u200b\u2060\ufeff',
  'a.b@c-d_e/f:g#h?i=j%k~',
];

function repeatedTo(bytes: number, piece: (index: number) => string): Buffer {
  const pieces: string[] = [];
  for (let index = 0, length = 0; length < bytes; index += 1) {
    const made = piece(index);
    pieces.push(made);
    length += Buffer.byteLength(made);
  }
  return Buffer.from(pieces.join('')).subarray(0, bytes);
}

/** Returns a pseudo-random number. The same index always gives the same number. */
const shuffled = (index: number): number => Math.imul(index + 1, 0x9e3779b1) >>> 0;

const texts: Readonly<Record<string, (scale: number) => Buffer>> = {
  'a single word of 10 MB': (scale) => Buffer.alloc(wordBytes * scale, 'a'),
  '10 MB of Chinese text without a break': (scale) =>
    repeatedTo(wordBytes * scale, (index) => String.fromCodePoint(0x4e00 + (shuffled(index) % 20_000))),
  '10 MB of Thai text without a break': (scale) =>
    repeatedTo(wordBytes * scale, (index) => String.fromCodePoint(0xe01 + (shuffled(index) % 46))),
  '10 MB of combining marks on one letter': (scale) =>
    repeatedTo(wordBytes * scale, (index) => (index === 0 ? 'a' : '\u0301')),
  '10 MB of endless compound words': (scale) => repeatedTo(wordBytes * scale, (index) => `a${index}.`),
  '10,000,000 words': (scale) =>
    repeatedTo(textBytes * scale, (index) => `${shuffled(index).toString(36)} `.slice(-7)),
  '10 MB of text in mixed scripts': (scale) =>
    repeatedTo(wordBytes * scale, (index) => mixed[shuffled(index) % mixed.length] ?? ''),
};

const fault = (answers: readonly Answer[]): Answer =>
  answers.find(({ status }) => status === 0 || (status >= 500 && status !== 501 && status !== 503)) ??
  (answers.at(-1) as Answer);

/** Uploads a file, creates a document with it, and requests all renditions of the document. */
async function lay({ ask, folder }: Scene, { name, type, bytes }: HostileFile): Promise<Answer[]> {
  const { text } = await ask('POST', '/api/v1/upload');
  const batch = /"batchId":"([^"]+)"/.exec(text)?.[1] ?? '';
  const uploaded = await ask('POST', `/api/v1/upload/${batch}/0`, bytes, 'application/octet-stream');
  const content = { 'upload-batch': batch, 'upload-fileId': '0', name, 'mime-type': type };
  const properties = { 'dc:title': name, 'file:content': content };
  const made = await ask('POST', folder, {
    'entity-type': 'document',
    type: 'File',
    name: 'file',
    properties,
  });
  const [, id] = /"uid":"([^"]+)"/.exec(made.text) ?? [];
  const answers = [uploaded, made];
  if (made.status === 201)
    for (const form of forms) answers.push(await ask('GET', `/api/v1/id/${id}/${form}`));
  return answers;
}

const ofText = ([name, make]: readonly [string, (scale: number) => Buffer]): Reproduction => ({
  name,
  prepare: (scene) => {
    const bytes = make(scene.scale);
    return async () => fault(await lay(scene, { name: 'a.txt', type: 'text/plain', bytes }));
  },
});

/** Creates damaged files of every kind. If the scale is small, only every tenth file is created. */
async function damagedFiles(scale: number): Promise<HostileFile[]> {
  const all: HostileFile[] = [];
  for (const [name, { type, of }] of Object.entries(fileKinds))
    all.push(...damaged(name, type, Buffer.from(await of())));
  return all.filter((_, index) => scale === 1 || index % 10 === 0);
}

/** Reproductions that upload files. */
export const hostileFiles: readonly Reproduction[] = [
  ...Object.entries(texts).map(ofText),
  {
    name: 'damaged files of every kind',
    prepare: (scene) => {
      const made = damagedFiles(scene.scale);
      return async () => {
        const answers: Answer[] = [];
        for (const file of await made) answers.push(...(await lay(scene, file)));
        return fault(answers);
      };
    },
  },
];
