import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { type BrowserContext, chromium } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';

/**
 * Takes pictures of all screens of the console at three widths, light and dark, in English and French, and arranges
 * those of each screen on a sheet: `npx tsx bench/screens.ts --out sheets --only search,document`.
 */

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'sheets' },
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
  },
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 400, height: 800 },
] as const;

/** The height of each picture on a sheet in pixels, and the space between pictures. */
const [shownHeight, gap] = [480, 16];

const server = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-screens-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return startOurs({ DATA_DIR: folder });
};

/** Sends requests to the REST interface as the administrator. */
const client =
  (url: string) =>
  async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization,
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

type Send = ReturnType<typeof client>;

async function create(send: Send, parent: string, type: string, title: string, properties: object = {}) {
  const body = {
    'entity-type': 'document',
    type,
    name: title,
    properties: { 'dc:title': title, ...properties },
  };
  return (await send(`/path${encodeURI(parent)}`, body)) as { readonly uid: string; readonly path: string };
}

async function upload(send: Send, parent: string, name: string, bytes: Uint8Array, type: string) {
  const { batchId } = await send('/upload', {});
  await send(`/upload/${batchId}/0`, bytes, { 'X-File-Name': encodeURIComponent(name), 'X-File-Type': type });
  const content = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } };
  return create(send, parent, type.startsWith('image/') ? 'Picture' : 'File', name, content);
}

const photograph = (hue: number) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><defs><linearGradient id="a" x2="0" y2="1">
    <stop stop-color="hsl(${hue},60%,70%)"/><stop offset="1" stop-color="hsl(${hue + 40},50%,35%)"/></linearGradient></defs>
    <rect width="900" height="600" fill="url(#a)"/><circle cx="${200 + hue}" cy="170" r="70" fill="#fff8"/>
    <path d="M0 600 L${200 + hue} 260 L520 520 L700 360 L900 600Z" fill="hsl(${hue + 60},35%,25%)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
};

async function report(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let number = 1; number <= 6; number += 1) {
    const page = document.addPage([595, 842]);
    page.drawText(`Annual report, page ${number}`, { x: 60, y: 760, size: 22 });
    for (let line = 0; line < 28; line += 1)
      page.drawText('The harbour grew by a tenth; cobalt and timber were its main goods.', {
        x: 60,
        y: 710 - line * 22,
        size: 12,
      });
  }
  return document.save();
}

/** Creates documents of many kinds. @returns the addresses of the screens by name */
async function fill(send: Send): Promise<Readonly<Record<string, string>>> {
  const workspace = await create(send, '/default-domain/workspaces', 'Workspace', 'Northwind Trading');
  const { path } = workspace;
  await create(send, path, 'Folder', 'Contracts');
  await create(send, path, 'Folder', 'Invoices 2026');
  const photographs = await create(send, path, 'Folder', 'Photographs');
  for (let hue = 0; hue < 240; hue += 30)
    await upload(send, photographs.path, `hill-${hue}.jpg`, await photograph(hue), 'image/jpeg');
  const picture = await upload(send, path, 'harbour.jpg', await photograph(200), 'image/jpeg');
  const pdf = await upload(send, path, 'Annual report.pdf', await report(), 'application/pdf');
  const rows = Array.from({ length: 40 }, (_, index) => `2026-${index + 1},Harbour ${index},${index * 12.5}`);
  const csv = Buffer.from(`number,name,amount\n${rows.join('\n')}\n`);
  const sheet = await upload(send, path, 'amounts.csv', csv, 'text/csv');
  const code = Buffer.from(
    'export const answer = (question: string): number => {\n  // Why not\n  return 42;\n};\n',
  );
  const program = await upload(send, path, 'answer.js', code, 'text/javascript');
  const note = await create(send, path, 'Note', 'Minutes of May', {
    'note:mime_type': 'text/markdown',
    'note:note': '# Minutes\n\n- cobalt was **discussed**\n- the harbour opens in *June*\n',
    'dc:description': 'What was decided about the harbour',
  });
  const empty = await create(send, path, 'Folder', 'Empty folder');
  await send('/automation/Services.TagDocument', { input: pdf.uid, params: { tags: 'report,2026' } });
  await send(`/id/${note.uid}/@comment`, { 'entity-type': 'comment', text: 'Please check the second line.' });
  const collection = await send('/automation/Collection.Create', { params: { name: 'For the board' } });
  await send('/automation/Document.AddToCollection', {
    input: pdf.uid,
    params: { collection: collection.uid },
  });
  await send('/automation/Document.AddToFavorites', { input: pdf.uid });
  const gone = await create(send, path, 'Note', 'An old draft');
  await send('/automation/Document.Trash', { input: gone.uid });
  const at = (uid: string, tab = '') => `/document/${uid}${tab && `/${tab}`}`;
  return {
    browse: `/browse${path}`,
    'browse-empty': `/browse${empty.path}`,
    grid: `/browse${photographs.path}`,
    picture: at(picture.uid),
    pdf: at(pdf.uid),
    table: at(sheet.uid),
    code: at(program.uid),
    note: at(note.uid),
    activity: at(note.uid, 'activity'),
    versions: at(note.uid, 'versions'),
    permissions: at(note.uid, 'permissions'),
    edit: at(note.uid, 'edit'),
    collection: at(collection.uid),
    search: '/search?words=cobalt',
    'search-nothing': '/search?words=nonexistent',
    tasks: '/tasks',
    favorites: '/favorites',
    collections: '/collections',
    trash: '/trash',
    account: '/account',
    users: '/admin/users',
    audit: '/admin/audit',
    jobs: '/admin/jobs',
    health: '/admin/health',
    webhooks: '/admin/webhooks',
    parts: '/docs/parts',
    docs: '/docs/search',
  };
}

interface Shot {
  readonly label: string;
  readonly picture: Buffer;
}

async function shots(
  contexts: ReadonlyArray<readonly [string, BrowserContext]>,
  url: string,
): Promise<Shot[]> {
  const taken: Shot[] = [];
  for (const [label, context] of contexts) {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(url, { waitUntil: 'networkidle' });
    await page
      .locator('.loading')
      .waitFor({ state: 'detached', timeout: 20_000 })
      .catch(() => {});
    await wait(800); // the frames of previews have no event to wait for
    taken.push({ label, picture: await page.screenshot() });
  }
  return taken;
}

/** Arranges pictures in rows, one for each width of the window. */
async function sheetOf(title: string, taken: readonly Shot[]): Promise<Buffer> {
  const tiles = await Promise.all(
    taken.map(async ({ label, picture }) => {
      const { data, info } = await sharp(picture)
        .resize({ height: shownHeight })
        .toBuffer({ resolveWithObject: true });
      return { label, data, width: info.width };
    }),
  );
  const perRow = taken.length / sizes.length;
  const line = shownHeight + gap + 20;
  const overlays: OverlayOptions[] = [];
  let widest = 0;
  for (const [index, { label, data, width }] of tiles.entries()) {
    const row = Math.floor(index / perRow);
    const before = tiles.slice(row * perRow, index).reduce((sum, tile) => sum + tile.width + gap, gap);
    const text = `<svg width="${width}" height="18"><text y="14" font-size="13" font-family="sans-serif">${title} ${label}</text></svg>`;
    overlays.push({ input: Buffer.from(text), left: before, top: row * line + gap });
    overlays.push({ input: data, left: before, top: row * line + gap + 20 });
    widest = Math.max(widest, before + width + gap);
  }
  return sharp({
    create: { width: widest, height: sizes.length * line + gap, channels: 3, background: '#c8c8c8' },
  })
    .composite(overlays)
    .png({ palette: true })
    .toBuffer();
}

await toTheEnd(async () => {
  const { url } = await server();
  const origin = new URL(url).origin;
  const send = client(origin);
  const screens = await fill(send);
  await isIndexed(`${origin}/api/v1`, 60);
  const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
  atEnd(() => browser.close());
  const variants = sizes.flatMap((viewport) =>
    (['en', 'fr'] as const).flatMap((locale) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ viewport, locale, colorScheme })),
    ),
  );
  const contexts: Array<readonly [string, BrowserContext]> = [];
  for (const variant of variants) {
    const context = await browser.newContext({ ...variant, reducedMotion: 'reduce' });
    const data = { username: 'Administrator', password: 'Administrator' };
    await context.request.post(`${origin}/login`, { data });
    contexts.push([`${variant.viewport.width} ${variant.locale} ${variant.colorScheme}`, context]);
  }
  await mkdir(values.out, { recursive: true });
  const only = values.only.split(',').filter(Boolean);
  for (const [name, path] of Object.entries(screens)) {
    if (only.length > 0 && !only.includes(name)) continue;
    await sharp(await sheetOf(name, await shots(contexts, `${origin}${path}`))).toFile(
      join(values.out, `${name}.png`),
    );
    process.stdout.write(`${name}\n`);
  }
});
