import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type FolderStore, openFolderStore } from '../../src/blobs/folder-store.ts';
import { type FileContent, readContent } from '../../src/import/content.ts';
import { Skipped } from '../../src/import/skipped.ts';
import { maxNoteBytes } from '../../src/model/notes.ts';
import { newFolder } from '../support/folder.ts';

const folder = newFolder();
let blobs: FolderStore;
beforeAll(async () => {
  blobs = await openFolderStore(join(folder, 'blobs'));
});

async function contentOf(file: string, bytes: string | Uint8Array): Promise<FileContent> {
  const path = join(folder, file);
  await writeFile(path, bytes);
  return readContent(path, file, { blobs, markdownType: 'text/markdown' });
}

const note = (text: string, mimeType: string, bytes = Buffer.byteLength(text)): FileContent => ({
  type: 'Note',
  bytes,
  properties: { 'note:note': text, 'note:mime_type': mimeType },
});

async function expectFile(
  file: string,
  given: string | Uint8Array,
  mimeType: string,
  { type = 'File', encoding = null }: { readonly type?: string; readonly encoding?: string | null } = {},
): Promise<void> {
  const bytes = Buffer.from(given);
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(await contentOf(file, bytes)).toEqual({
    type,
    bytes: bytes.length,
    properties: {
      'file:content': { name: file, mimeType, encoding, digest, length: bytes.length },
    },
  });
  expect((await readFile(blobs.file(digest))).equals(bytes)).toBe(true);
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe('a text file', () => {
  test.each([
    ['readme', 'Grüße, 你好 👋\r\n', 'text/plain'],
    ['readme.md', '# Title', 'text/markdown'],
    ['page.html', '<!doctype html><p>', 'text/html'],
    ['script.ts', 'export const one = 1;', 'text/plain'],
    ['plan.org', '* TODO', 'text/plain'],
    ['sound.mp3', 'not a sound', 'text/plain'],
    ['picture.png', 'not a picture', 'text/plain'],
    ['unknown.qqq', 'text', 'text/plain'],
    ['log', '\u001b[31mred\u001b[0m\tx\fy\bz\u0007', 'text/plain'],
  ])('is a Note: %s', async (file, text, mimeType) => {
    expect(await contentOf(file, text)).toEqual(note(text, mimeType));
  });

  test('may be empty', async () => {
    expect(await contentOf('empty', '')).toEqual(note('', 'text/plain'));
  });

  test('keeps its byte order mark', async () => {
    expect(await contentOf('bom.txt', '\uFEFFtext')).toEqual(note('\uFEFFtext', 'text/plain'));
  });

  test('of 1 MB is a Note, with one byte more a File', async () => {
    expect(await contentOf('large.txt', 'x'.repeat(maxNoteBytes))).toMatchObject({ type: 'Note' });
    await expectFile('larger.txt', 'x'.repeat(maxNoteBytes + 1), 'text/plain');
  });
});

test.each([
  ['le.txt', Buffer.from('\uFEFFGrüße', 'utf16le'), 'Grüße'],
  ['be.txt', Buffer.from('\uFEFFGrüße', 'utf16le').swap16(), 'Grüße'],
  ['unmarked.txt', Buffer.from('Привет, мир 1', 'utf16le'), 'Привет, мир 1'],
])('a text in UTF-16 is a Note: %s', async (file, bytes, text) => {
  expect(await contentOf(file, bytes)).toEqual(note(text, 'text/plain', bytes.length));
});

/** The files that are text in an encoding that can only be guessed. */
const guessed = new Set(['latin1.txt', 'surrogate.md']);

describe('a file that is not the text of a note is imported with its bytes', () => {
  test.each<[string, string | Uint8Array, string, string]>([
    ['picture.txt', png, 'image/png', 'Picture'],
    ['data.json', '{}', 'application/json', 'File'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'Picture'],
    [
      'declared.svg',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
      'Picture',
    ],
    ['declared', '<?xml version="1.0"?><a/>', 'application/xml', 'File'],
    ['date.txt', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', 'text/calendar', 'File'],
    ['archive', gzipSync('text'), 'application/gzip', 'File'],
    ['paper.txt', '%PDF-1.4\n', 'application/pdf', 'File'],
    ['zero', 'a\0b', 'application/octet-stream', 'File'],
    ['control.txt', 'a\u0001b', 'text/plain', 'File'],
    ['delete.txt', 'a\u007fb', 'text/plain', 'File'],
    ['latin1.txt', Buffer.from('Grüße', 'latin1'), 'text/plain', 'File'],
    ['surrogate.md', Buffer.from([0xed, 0xa0, 0x80]), 'text/markdown', 'File'],
    ['broken.zip', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff]), 'application/zip', 'File'],
    ['clip.mp4', Buffer.from([0, 1, 2]), 'video/mp4', 'Video'],
  ])('%s', (file, bytes, mimeType, type) =>
    expectFile(file, bytes, mimeType, { type, encoding: guessed.has(file) ? 'windows-1252' : null }),
  );

  test('a large file, whose media type is detected from its first bytes', async () => {
    await expectFile('large', Buffer.concat([png, Buffer.alloc(3 * maxNoteBytes, 7)]), 'image/png', {
      type: 'Picture',
    });
  });
});

describe('a file that cannot be read', () => {
  test('is skipped when it no longer exists', async () => {
    await expect(
      readContent(join(folder, 'gone'), 'gone', { blobs, markdownType: 'text/markdown' }),
    ).rejects.toThrow(new Skipped('no longer exists'));
  });

  test('is skipped without blocking when it became a pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readContent(pipe, 'pipe', { blobs, markdownType: 'text/markdown' })).rejects.toThrow(
      new Skipped('is no longer a file'),
    );
  });

  test('an error of the blob store is thrown instead', async () => {
    await writeFile(join(folder, 'b'), 'a\0b');
    const full = { ...blobs, write: () => Promise.reject(new Error('no space left')) };
    await expect(
      readContent(join(folder, 'b'), 'b', { blobs: full, markdownType: 'text/markdown' }),
    ).rejects.toThrow(new Error('no space left'));
  });
});
