/** @group slow */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { findTools } from '../../../src/converters/programs/programs.ts';
import { atId } from '../../support/documents.ts';
import { fileKinds } from '../../support/file-kinds.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { createBinary, download } from '../blobs/blob-requests.ts';

const page = await readFile(new URL('../../../docs/renditions.md', import.meta.url), 'utf8');

type Row = [kind: string, thumbnail: string, preview: string, text: string, pdf: string, html: string];

/** The rows of the table below a heading of docs/renditions.md; a row can describe several kinds, separated by commas. */
function rowsOf(heading: string): Row[] {
  const [, below = ''] = page.split(`\n### ${heading}\n`);
  const lines =
    below
      .split('\n#', 1)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return lines.slice(2).flatMap((line) => {
    const [kinds = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return kinds.split(', ').map((kind) => [kind, ...cells] as Row);
  });
}

/** The row of each kind: with programs that of the second table, where it has one. */
function describedKinds(heading: string): Row[] {
  const rows = [...rowsOf('Without programs'), ...rowsOf(heading)];
  return [...new Map(rows.map((row) => [row[0], row])).values()];
}

async function thumbnailOf(server: TestServer, at: string): Promise<string> {
  const { body, headers } = await download(server, `${at}/@rendition/thumbnail`).expect(200);
  if (String(headers['content-type']).startsWith('image/svg'))
    return /(encrypted|cannot be read)<\/title>/.exec(String(body))?.[1] ?? 'icon';
  const { width = 0, height = 0 } = await sharp(body as Buffer).metadata();
  expect(Math.max(width, height)).toBeGreaterThan(0);
  expect(Math.max(width, height)).toBeLessThanOrEqual(350);
  return 'picture';
}

const shown: Readonly<Record<string, RegExp>> = {
  page: /<iframe sandbox /,
  text: /<pre>/,
  picture: /<img /,
  PDF: /<object /,
  player: /<(audio|video) /,
};

async function previewOf(server: TestServer, at: string): Promise<string> {
  const { status, text } = await server.request.get(`${at}/@preview`);
  if (status !== 200) return String(status);
  expect(text).not.toContain('<script');
  const message = /<p role="alert">This file (is encrypted|cannot be read)/
    .exec(text)?.[1]
    ?.replace('is ', '');
  const body = text.replace(/<p role="alert">.*<\/p>/, '');
  const form = Object.entries(shown).find(([, pattern]) => pattern.test(body))?.[0];
  return [message, form].filter(Boolean).join(', ') || text;
}

async function textOf(server: TestServer, at: string): Promise<string> {
  const { status, body } = await download(server, `${at}/@convert?type=text/plain`);
  if (status !== 200) return String(status);
  return /pelican/i.test((body as Buffer).toString('utf8').replaceAll('\0', '')) ? 'text' : 'no words';
}

async function pdfOf(server: TestServer, at: string): Promise<string> {
  const { status, body } = await download(server, `${at}/@convert?type=application/pdf`);
  if (status !== 200) return String(status);
  return (body as Buffer).length === 0 || (body as Buffer).subarray(0, 5).toString() === '%PDF-'
    ? 'PDF'
    : 'other';
}

async function htmlOf(server: TestServer, at: string, file: Buffer): Promise<string> {
  const { status, body } = await download(server, `${at}/@convert?type=text/html`);
  if (status !== 200) return String(status);
  if (file.equals(body as Buffer)) return 'itself';
  const html = (body as Buffer).toString('utf8');
  expect(html).not.toMatch(/<script|src="(?!data:)/); // it needs nothing else
  return html.includes('<img src="data:image/jpeg') ? 'pictures' : 'HTML';
}

function holds(heading: string, settings: Record<string, string>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(settings);
  });
  afterAll(() => server.stop());

  test('the table has every kind', () => {
    expect(
      describedKinds(heading)
        .map(([kind]) => kind)
        .sort(),
    ).toEqual(Object.keys(fileKinds).sort());
  });

  test.each(describedKinds(heading))(
    'of %s: thumbnail %s, preview %s, text %s, PDF %s, HTML %s',
    async (kind, ...expected) => {
      const { type = '', of = () => Buffer.alloc(0) } = fileKinds[kind] ?? {};
      const file = await of();
      const { uid } = await createBinary(server, file, { name: 'file', mimeType: type });
      const at = atId(uid);
      const found = [
        await thumbnailOf(server, at),
        await previewOf(server, at),
        await textOf(server, at),
        await pdfOf(server, at),
        await htmlOf(server, at, file),
      ];
      expect(found).toEqual(expected);
    },
    180_000,
  );
}

describe('without programs', () => holds('Without programs', {}));

const folders = '/usr/local/bin,/usr/bin';
const { paths } = await findTools(folders.split(','), ['eng']).catch(() => ({ paths: {} }));
const isComplete = ['libreoffice', 'ffmpeg', 'ffprobe', 'tesseract'].every((name) => name in paths);

// Where they are installed, which they are not everywhere.
(isComplete ? describe : describe.skip)('with LibreOffice, ffmpeg and tesseract', () =>
  holds('With programs', { CONVERTER_FOLDERS: folders, OCR_LANGUAGES: 'eng' }),
);
