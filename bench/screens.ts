import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, isIndexed, startOurs } from './ours.ts';

/**
 * Takes pictures of all screens of the console at three widths, light and dark, in English and French, and arranges
 * those of each screen on a sheet: `npx tsx bench/screens.ts --out sheets --only search,document`. With --single, each
 * picture is also written to a file of its own.
 */

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'sheets' },
    only: { type: 'string', default: '' },
    single: { type: 'boolean', default: false },
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

/** A screen of the console: its address, and what is done there before the picture is taken. */
interface Screen {
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether the screen is shown without a session. */
  readonly isPublic?: boolean;
}

const press = (selector: string) => (page: Page) => page.locator(selector).first().click();
const firstBox = press('.row .checkbox, .tile .checkbox');
/** Chooses an action on the selected documents, which is in the bar or, if it does not fit, in its menu. */
const actOnSelection = (icon: string) => async (page: Page) => {
  const button = page.locator(`.selection-bar .button:has(.lucide-${icon})`);
  if ((await button.count()) > 0) return button.click();
  await page.locator('.selection-bar .icon-button').last().click();
  await page.locator(`[role=menuitem]:has(.lucide-${icon})`).click();
};
const inTurn =
  (...acts: ReadonlyArray<(page: Page) => Promise<unknown>>) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };

/** Creates documents of many kinds. @returns the screens by name */
async function fill(send: Send): Promise<Readonly<Record<string, Screen>>> {
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
  await send('/automation/Document.Update', {
    input: note.uid,
    params: {
      properties: { 'dc:description': 'What the board decided about the harbour', 'dc:source': 'Board' },
    },
  });
  await send('/automation/Document.CreateVersion', { input: note.uid, params: { increment: 'Minor' } });
  await send('/automation/Services.TagDocument', { input: note.uid, params: { tags: 'minutes,harbour' } });
  const group = { 'entity-type': 'group', id: 'board', grouplabel: 'The board' };
  await send('/group', { ...group, properties: { groupname: 'board', grouplabel: 'The board' } });
  const user = { username: 'carol', firstName: 'Carol', lastName: 'Carter', email: 'carol@example.org' };
  await send('/user', { 'entity-type': 'user', id: 'carol', properties: { ...user, groups: ['board'] } });
  await send(`/id/${workspace.uid}/@op/Document.AddPermission`, {
    params: { username: 'board', permission: 'ReadWrite' },
  });
  await send(`/id/${note.uid}/@workflow`, {
    'entity-type': 'workflow',
    workflowModelName: 'ParallelDocumentReview',
    attachedDocumentIds: [note.uid],
  });
  const gone = await create(send, path, 'Note', 'An old draft');
  await send('/automation/Document.Trash', { input: gone.uid });
  const at = (uid: string, tab = ''): Screen => ({ path: `/document/${uid}${tab && `/${tab}`}` });
  const workspaceScreen = `/browse${path}`;
  const list = { path: workspaceScreen };
  const gridScreen = { path: `/browse${photographs.path}` };
  const menu = '.screen-head .icon-button[aria-haspopup]';
  const admin = [
    'users',
    'groups',
    'providers',
    'shares',
    'vocabularies',
    'model',
    'storage',
    'jobs',
    'webhooks',
  ];
  const others = ['tokens', 'audit', 'health', 'users/carol'];
  return {
    'sign-in': { path: '/', isPublic: true },
    home: { path: '/home' },
    browse: list,
    'row-menu': { ...list, act: (page) => page.locator('.row').nth(3).click({ button: 'right' }) },
    palette: { ...list, act: (page) => page.keyboard.press('Control+k') },
    keys: { ...list, act: (page) => page.keyboard.press('?') },
    'browse-empty': { path: `/browse${empty.path}` },
    'browse-menu': { ...list, act: press(menu) },
    'browse-new': { ...list, act: press('.screen-head .button.main') },
    selection: { ...list, act: firstBox },
    'selection-tags': { ...list, act: inTurn(firstBox, actOnSelection('tag')) },
    'selection-move': {
      ...list,
      act: inTurn(firstBox, actOnSelection('folder-input')),
    },
    columns: { ...list, act: press('.list-looks .icon-button') },
    thumbnails: { ...list, act: press('.view-choice .icon-button:nth-child(3)') },
    grid: { ...gridScreen, act: press('.view-choice .icon-button:nth-child(4)') },
    compact: { ...list, act: press('.view-choice .icon-button:nth-child(1)') },
    rows: { ...list, act: press('.view-choice .icon-button:nth-child(2)') },
    picture: at(picture.uid),
    pdf: at(pdf.uid),
    table: at(sheet.uid),
    code: at(program.uid),
    note: at(note.uid),
    'document-menu': { ...at(note.uid), act: press('.document-head .icon-button[aria-haspopup]') },
    'document-share': { ...at(note.uid), act: press('.document-head .button:has(.lucide-share-2)') },
    activity: at(note.uid, 'activity'),
    versions: at(note.uid, 'versions'),
    permissions: at(note.uid, 'permissions'),
    workflows: at(note.uid, 'workflows'),
    edit: at(note.uid, 'edit'),
    folder: at(workspace.uid),
    collection: at(collection.uid),
    search: { path: '/search?words=cobalt' },
    'search-menu': { path: '/search?words=cobalt', act: press(menu) },
    'search-nothing': { path: '/search?words=nonexistent' },
    inbox: { path: '/inbox' },
    tasks: { path: '/tasks' },
    favorites: { path: '/favorites' },
    collections: { path: '/collections' },
    trash: { path: '/trash' },
    account: { path: '/account' },
    'not-found': { path: '/document/00000000-0000-4000-8000-000000000000' },
    ...Object.fromEntries(
      [...admin, ...others].map((name) => [`admin-${name.replace('/', '-')}`, { path: `/admin/${name}` }]),
    ),
    'new-user': { path: '/admin/users', act: press('.button:has(.lucide-plus)') },
    parts: { path: '/docs/parts' },
    docs: { path: '/docs/search' },
  };
}

interface Shot {
  readonly label: string;
  readonly picture: Buffer;
}

async function shots(
  contexts: ReadonlyArray<readonly [string, BrowserContext]>,
  url: string,
  act: Screen['act'],
): Promise<Shot[]> {
  const taken: Shot[] = [];
  for (const [label, context] of contexts) {
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(5_000);
    page.setDefaultNavigationTimeout(60_000);
    // The network is never idle, because lists and documents listen for changes.
    await page.goto(url);
    await wait(1_000);
    await page
      .locator('.loading')
      .waitFor({ state: 'detached', timeout: 20_000 })
      .catch(() => {});
    if (act)
      await act(page).catch((error: Error) => process.stderr.write(`${url} ${label}: ${error.message}\n`));
    await wait(800); // The frames of previews and the animations of dialogs have no event to wait for.
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
  const strangers: Array<readonly [string, BrowserContext]> = [];
  for (const variant of variants) {
    const label = `${variant.viewport.width} ${variant.locale} ${variant.colorScheme}`;
    const options = { ...variant, reducedMotion: 'reduce' } as const;
    strangers.push([label, await browser.newContext(options)]);
    const context = await browser.newContext(options);
    const data = { username: 'Administrator', password: 'Administrator' };
    await context.request.post(`${origin}/login`, { data });
    contexts.push([label, context]);
  }
  await mkdir(values.out, { recursive: true });
  const only = values.only.split(',').filter(Boolean);
  for (const [name, { path, act, isPublic }] of Object.entries(screens)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const taken = await shots(isPublic ? strangers : contexts, `${origin}${path}`, act);
    await sharp(await sheetOf(name, taken)).toFile(join(values.out, `${name}.png`));
    if (values.single)
      for (const { label, picture } of taken)
        await writeFile(join(values.out, `${name} ${label}.png`), picture);
    process.stdout.write(`${name}\n`);
  }
});
