/** @group slow */
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../../../src/converters/programs/run-program.ts';
import { atId } from '../../support/documents.ts';
import { newFolder } from '../../support/folder.ts';
import { kinds, pdfOf } from '../../support/made-files.ts';
import { programs } from '../../support/programs.ts';
import { asBytes } from '../../support/requests.ts';
import { startServer, type TestServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { createBinary, createFile } from '../blobs/blob-requests.ts';

const docx = kinds.DOCX?.type ?? '';
const bare = useServer();

const office = async (server: TestServer, text = 'Hello') =>
  createBinary(server, (await kinds.DOCX?.of(text)) ?? Buffer.alloc(0), { name: 'a.docx', mimeType: docx });

const started = (folder: string, settings: Record<string, string> = {}) =>
  startServer({ CONVERTER_FOLDERS: folder, ...settings });

describe('without programs', () => {
  test.each([
    ['/@convert?type=application/pdf', 'to application/pdf needs LibreOffice'],
    ['/@convert?converter=any2pdf', 'Converter any2pdf is not available: it needs LibreOffice'],
    ['/@convert?converter=office2pdf', 'Converter office2pdf is not available: it needs LibreOffice'],
    ['/@convert?type=image/png', 'to image/png needs LibreOffice'],
    ['/@rendition/pdf', 'needs LibreOffice'],
  ])('an office file has no %s: 501 names what is missing', async (address, message) => {
    const { uid } = await office(bare);
    const { body } = await bare.request.get(atId(uid) + address).expect(501);
    expect(body.message).toMatch(new RegExp(message));
    expect(body.message).toMatch(/is not installed on this server\.$/);
  });

  test('a preview names the program that can perhaps read a file whose text cannot be shown', async () => {
    const { uid } = await office(bare, 'shown');
    expect((await bare.request.get(`${atId(uid)}/@preview`).expect(200)).text).toMatch(/<pre>\s*shown/);
    const old = await createBinary(bare, Buffer.from([0, 1, 2, 255, 254]), {
      mimeType: 'application/msword',
    });
    const { text } = await bare.request.get(`${atId(old.uid)}/@preview`).expect(200);
    expect(text).toContain('LibreOffice can read more files, but is not installed on this server.');
  });

  test('a film has the picture of its type, and no poster', async () => {
    const { uid } = await createBinary(bare, Buffer.from('x'), { mimeType: 'video/mp4' });
    await bare.request
      .get(`${atId(uid)}/@rendition/thumbnail`)
      .expect('Content-Type', /svg/)
      .expect(200);
    const { body } = await bare.request.get(`${atId(uid)}/@convert?type=image/jpeg`).expect(501);
    expect(body.message).toContain('needs ffmpeg and ffprobe');
    const words = await createBinary(bare, Buffer.from('x'), { mimeType: 'image/png' });
    const text = await bare.request.get(`${atId(words.uid)}/@convert?type=text/plain`).expect(501);
    expect(text.body.message).toContain('needs tesseract');
  });

  test('GET /config/converters says what there is, to every user', async () => {
    const { body } = await bare.request.get('/api/v1/config/converters').expect(200);
    expect(body['entity-type']).toBe('converters');
    const named = (name: string) => body.entries.find((each: { name: string }) => each.name === name);
    expect(named('office2pdf')).toMatchObject({
      'entity-type': 'converter',
      destinationMimeTypes: ['application/pdf'],
      needs: ['LibreOffice'],
      isAvailable: false,
    });
    expect(named('office2pdf').sourceMimeTypes).toContain(docx);
    expect(named('pdf2png')).toMatchObject({ needs: [], isAvailable: true });
    expect(Object.keys(named('pdf2png').parameters)).toEqual(['page', 'size']);
    expect(bare.logged).toContainEqual(
      expect.objectContaining({ found: {}, missing: ['libreoffice', 'ffmpeg', 'ffprobe', 'tesseract'] }),
    );
  });
});

/** What LibreOffice does as far as a caller can see: it writes a PDF of the name of its last argument. */
const soffice = (pdf: string) => `
while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; shift; done
mkdir -p "$out" && env > "$HOME/../seen" && ls "$HOME" >> "$HOME/../seen" && cp '${pdf}' "$out/source.pdf"`;

describe('with a program', () => {
  test('an office file has a PDF, by which it has a thumbnail, pictures and a preview', async () => {
    const pdf = join(newFolder(), 'a.pdf');
    await mkdir(join(pdf, '..'), { recursive: true });
    await writeFile(pdf, pdfOf('made'));
    const folder = await programs({ soffice: soffice(pdf) });
    await using server = await started(folder);
    const { uid } = await office(server);
    const at = atId(uid);
    const { body } = await server.request
      .get(at)
      .set('enrichers.document', 'renditions, preview')
      .expect(200);
    const { renditions, preview } = body.contextParameters;
    expect(renditions.map(({ name }: { name: string }) => name)).toEqual([
      'thumbnail',
      'pdf',
      'xmlExport',
      'zipExport',
    ]);
    expect(preview.url).toContain('@preview');
    expect((await asBytes(server.request.get(`${at}/@rendition/pdf`)).expect(200)).body).toEqual(
      pdfOf('made'),
    );
    await server.request.get(`${at}/@rendition/thumbnail`).expect('Content-Type', 'image/jpeg').expect(200);
    await server.request
      .get(`${at}/@convert?type=image/png&size=50`)
      .expect('Content-Type', 'image/png')
      .expect(200);
    const page = (await server.request.get(`${at}/@preview`).expect(200)).text;
    const [, address = ''] = /<object data="([^"]+)" type="application\/pdf">/.exec(page) ?? [];
    const shown = new URL(address.replaceAll('&amp;', '&'));
    await server.request
      .get(shown.pathname + shown.search)
      .expect('Content-Disposition', /^inline/)
      .expect(200);
    expect(await server.database.prisma.rendition.findMany({ select: { converter: true } })).toEqual(
      expect.arrayContaining([{ converter: 'office2pdf' }, { converter: 'pdf2thumbnail' }]),
    );
  });

  test('it sees neither secrets nor settings, and what it fails on is kept as the reason', async () => {
    const folder = await programs({ soffice: 'env | sort | tr "\\n" " " >&2; exit 3' });
    await using server = await started(folder, { JWT_SECRET: 'a-secret-of-thirty-two-characters-or-more' });
    const { uid } = await office(server);
    for (let attempt = 1; attempt <= 4; attempt += 1)
      await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const rows = await server.database.prisma.rendition.findMany();
    expect(rows).toMatchObject([{ converter: 'office2pdf', failures: 3 }]);
    const names = String(rows[0]?.error)
      .split(' ')
      .map((line) => line.split('=')[0]);
    expect(names.filter(Boolean).sort()).toEqual(
      expect.arrayContaining(['HOME', 'LANG', 'OMP_THREAD_LIMIT', 'PATH', 'TMPDIR']),
    );
    expect(names).not.toContain('JWT_SECRET');
    expect(String(rows[0]?.error)).not.toContain('DATA_DIR');

    const at = `${atId(uid)}/@convert?type=application/pdf`;
    const fault = 'a.docx cannot be converted by office2pdf';
    const { body } = await server.request.get(at).expect(404);
    expect(body.message).toMatch(new RegExp(`^${fault}: soffice exited with 3: .*HOME=`));
    await createUser(server, 'bob', ['members']);
    expect((await as(server, 'bob').get(at).expect(404)).body.message).toBe(fault);
    expect(JSON.stringify(server.logged)).toContain('"reason":"soffice exited with 3');
  });

  test('what it says of a file that it cannot read is kept, although it ends with 0', async () => {
    await using server = await started(await programs({ soffice: 'echo no filter for this >&2' }));
    const { uid } = await office(server);
    await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const [row] = await server.database.prisma.rendition.findMany();
    expect(row?.error).toBe('LibreOffice cannot read the file: no filter for this');
  });

  test('an archive that unpacks to too much does not reach it', async () => {
    await using server = await started(await programs({ soffice: 'echo reached >&2; exit 1' }));
    const { zipOf } = await import('../../support/made-files.ts');
    const bomb = await zipOf({ 'word/document.xml': ' '.repeat(26_000_000) });
    const { uid } = await createBinary(server, bomb, { mimeType: docx });
    await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const [row] = await server.database.prisma.rendition.findMany();
    expect(row?.error).toBe('the XML in the archive has more than 25000000 bytes when decompressed');
  });

  test('a file of more than 100 MB does not reach it either', async () => {
    await using server = await started(await programs({ soffice: 'echo reached >&2; exit 1' }));
    const mimeType = 'application/msword';
    const { uid } = await createBinary(server, Buffer.alloc(100_000_001), { mimeType });
    await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const [row] = await server.database.prisma.rendition.findMany();
    expect(row?.error).toBe('the file is larger than 100000000 bytes');
  });

  test('it writes no file of more than half a gigabyte', async () => {
    const sized = (size: string) => `truncate -s ${size} "$HOME/${size}" || echo not ${size} >&2`;
    const soffice = [...['536870912', '536870913'].map(sized), 'ls "$HOME" >&2; exit 3'].join('\n');
    await using server = await started(await programs({ soffice }));
    const { uid } = await office(server);
    await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const [row] = await server.database.prisma.rendition.findMany();
    expect(row?.error).toContain('not 536870913');
    expect(row?.error).not.toContain('not 536870912');
  });

  test('whether it has a network is in the log', async () => {
    await using server = await started(await programs({ soffice: 'readlink /proc/self/ns/net >&2; exit 3' }));
    const { uid } = await office(server);
    await server.request.get(`${atId(uid)}/@rendition/pdf`).expect(404);
    const [row] = await server.database.prisma.rendition.findMany();
    const report = server.logged.find(({ msg }) => msg === 'Found programs that convert files.');
    const haveNetwork = row?.error?.includes(await readlink('/proc/self/ns/net'));
    expect(report).toMatchObject({ missing: ['ffmpeg', 'ffprobe', 'tesseract'], haveNetwork });
  });

  test('a film of which ffmpeg makes no picture, although it ends with 0, keeps its icon', async () => {
    const ffprobe = `echo '{"streams":[{"codec_type":"video","width":8,"height":8}],"format":{"duration":"1"}}'`;
    await using server = await started(await programs({ ffmpeg: 'exit 0', ffprobe }));
    const { uid } = await createBinary(server, Buffer.from('x'), { mimeType: 'video/webm' });
    await server.request
      .get(`${atId(uid)}/@rendition/thumbnail`)
      .expect('Content-Type', /svg/)
      .expect(200);
    await server.request.get(`${atId(uid)}/@convert?type=image/jpeg`).expect(404);
    const errors = (await server.database.prisma.rendition.findMany()).map(({ error }) => error);
    expect(new Set(errors)).toEqual(new Set(['ffmpeg found no frame in the file']));
  });

  test('it ends with the server, and so do the programs that it started', async () => {
    const place = newFolder();
    await mkdir(place, { recursive: true });
    const pid = join(place, 'pid');
    const server = await started(await programs({ soffice: `sleep 300 & echo $! > ${pid}; wait` }));
    const { uid } = await office(server);
    const asked = server.request.get(`${atId(uid)}/@rendition/pdf`).then(
      () => undefined,
      () => undefined,
    );
    await until(async () => (await readFile(pid, 'utf8').catch(() => '')) !== '');
    const child = Number(await readFile(pid, 'utf8'));
    expect(process.kill(child, 0)).toBe(true);
    await server.stop();
    await asked;
    await until(async () => {
      const state = await readFile(`/proc/${child}/stat`, 'latin1').catch(() => ' Z ');
      return / Z /.test(state);
    });
  });

  test('its processor time is limited', async () => {
    const folder = await programs({ busy: 'while :; do :; done' });
    const run = runProgram({
      path: join(folder, 'busy'),
      args: [],
      folder,
      seconds: 1,
      tools: { canIsolate: false },
    });
    await expect(run).rejects.toThrow(/SIGXCPU|SIGKILL|exited with/);
  });
});

describe('texts without programs', () => {
  test('RTF has a text: its encoding, its Unicode, and neither fonts nor pictures', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Arial;}}{\*\generator X;}{\pict 00ff}Caf\'e9 \'93\b na\u239?ve\b0\par Second \{line\}\tab end}`;
    const { uid } = await createBinary(bare, Buffer.from(rtf), {
      name: 'a.rtf',
      mimeType: 'application/rtf',
    });
    const { text } = await bare.request.get(`${atId(uid)}/@convert?type=text/plain`).expect(200);
    expect(text).toBe('Café “naïve\nSecond {line}\tend');
    expect((await bare.request.get(`${atId(uid)}/@preview`).expect(200)).text).toContain('<pre>Café “naïve');
  });

  test('a mail in Windows-1252 keeps its quotation marks', async () => {
    const head =
      'From: A <a@example.org>\r\nSubject: S\r\nContent-Type: text/plain; charset=windows-1252\r\n';
    const mail = Buffer.from(`${head}\r\n\x93caf\xe9\x94\r\n`, 'latin1');
    const { uid } = await createBinary(bare, mail, { mimeType: 'message/rfc822' });
    const { text } = await bare.request.get(`${atId(uid)}/@convert?type=text/plain`).expect(200);
    expect(text).toContain('“café”');
  });

  test('Markdown becomes HTML, and its preview a page in a frame without rights', async () => {
    const content = '# Title\n\n- **one**\n\n<script>alert(1)</script>';
    const { uid } = await createFile(bare, { content, 'mime-type': 'text/markdown', name: 'a.md' });
    const { text } = await bare.request.get(`${atId(uid)}/@convert?format=html`).expect(200);
    expect(text).toContain('<h1>Title</h1>');
    expect(text).toContain('<li><strong>one</strong></li>');
    const words = await bare.request.get(`${atId(uid)}/@convert?type=text/plain`).expect(200);
    expect(words.text).toBe('Title\n\n * one');
    const preview = (await bare.request.get(`${atId(uid)}/@preview`).expect(200)).text;
    expect(preview).toContain('<iframe sandbox');
    expect(preview).not.toContain('<script');
  });

  test('a text becomes HTML in which nothing is markup', async () => {
    const { uid } = await createFile(bare, { content: '<b> & more', 'mime-type': 'text/plain' });
    const { text } = await bare.request.get(`${atId(uid)}/@convert?converter=any2html`).expect(200);
    expect(text).toContain('<pre>&lt;b&gt; &amp; more</pre>');
  });
});
