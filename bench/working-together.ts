import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, startOurs } from './ours.ts';
import { startPostgres } from './postgres.ts';

/**
 * Two people work in the console at the same time, each in a browser context of their own, on the same notes: they add
 * a line, comment, and move documents. At the end, every line, comment and move that the console confirmed must be on
 * the server. `--minutes 60` also shows whether the memory of a page stays the same.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    notes: { type: 'string', default: '4' },
    chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
  },
});

/** By how much the heap of a page may grow from a quarter of the time to its end, in megabytes. */
const maxGrowth = 20;

/** The maximum time for one step, in milliseconds. */
const timeout = 60_000;

interface Note {
  readonly uid: string;
  readonly title: string;
}

/** What the console confirmed to a person. */
interface Confirmed {
  readonly lines: Array<{ readonly uid: string; readonly line: string }>;
  readonly comments: Array<{ readonly uid: string; readonly text: string }>;
  /** The folder to which the person moved their own document last. */
  folder: string;
  conflicts: number;
}

type Api = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

const apiOf =
  (base: string): Api =>
  async <Answer>(method: string, path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json', properties: '*' };
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Answer>;
  };

const create = (api: Api, parent: string, type: string, name: string, properties = {}) =>
  api<{ readonly uid: string; readonly path: string }>('POST', `/path${parent}`, {
    'entity-type': 'document',
    type,
    name,
    properties: { 'dc:title': name, ...properties },
  });

/** Adds a line to the end of a note. If somebody else has saved the note in the meantime, the line follows their changes. */
async function addLine(page: Page, origin: string, { uid }: Note, line: string, confirmed: Confirmed) {
  await page.goto(`${origin}/document/${uid}/edit`);
  const editor = page.getByRole('textbox', { name: 'Text' });
  await editor.waitFor();
  const type = async () => {
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(`\n${line}`);
  };
  await type();
  const theirs = page.getByRole('button', { name: /^Use those of / });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  for (;;) {
    if (await theirs.isVisible()) {
      confirmed.conflicts += 1;
      await theirs.click();
      await theirs.waitFor({ state: 'detached' });
      await type();
    }
    await save.click({ timeout: 2_000 }).catch(() => undefined);
    const isSaved = page.waitForURL((url) => !url.pathname.endsWith('/edit'), { timeout }).then(() => true);
    const isAsked = theirs.waitFor({ timeout }).then(() => false);
    if (await Promise.any([isSaved, isAsked])) break;
  }
  confirmed.lines.push({ uid, line });
}

async function comment(page: Page, origin: string, { uid }: Note, text: string, confirmed: Confirmed) {
  await page.goto(`${origin}/document/${uid}/activity`);
  await page.getByLabel('Add a comment', { exact: true }).last().fill(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).last().click();
  await page.locator('.comments li').filter({ hasText: text }).first().waitFor();
  confirmed.comments.push({ uid, text });
}

/** Moves a person's own document from one folder to the other with the keyboard. */
async function move(
  page: Page,
  origin: string,
  name: string,
  folders: readonly string[],
  confirmed: Confirmed,
) {
  const target = folders.find((folder) => folder !== confirmed.folder) ?? '';
  const row = page.locator('[role=row]').filter({ hasText: name });
  await page.goto(`${origin}/browse${confirmed.folder}`);
  await row.waitFor();
  await row.locator('.checkbox').click();
  await page.keyboard.press('Control+x');
  await page.getByText('1 document cut.').waitFor();
  // The clipboard belongs to the page, so the other folder is opened without a reload.
  await page.evaluate((address) => {
    history.pushState({}, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/browse${target}`);
  await page.getByRole('heading', { name: target.slice(target.lastIndexOf('/') + 1) }).waitFor();
  await page.keyboard.press('Control+v');
  await row.waitFor();
  confirmed.folder = target;
}

/** Returns the size of a page's heap after garbage collection, in megabytes. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 ** 2;
}

interface Desk {
  readonly origin: string;
  readonly notes: readonly Note[];
  readonly folders: readonly string[];
}

async function person(browser: Browser, { origin, notes, folders }: Desk, name: string, end: number) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
  context.setDefaultTimeout(timeout);
  await context.request.post(`${origin}/login`, { data: { username: name, password: name } });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  const confirmed: Confirmed = { lines: [], comments: [], folder: folders[0] ?? '', conflicts: 0 };
  for (let nth = 0; Date.now() < end; nth += 1) {
    const note = notes[nth % notes.length] as Note;
    await addLine(page, origin, note, `line ${nth} by ${name}`, confirmed);
    await comment(page, origin, note, `comment ${nth} by ${name}.`, confirmed);
    await move(page, origin, `own-${name}`, folders, confirmed);
  }
  return { name, confirmed, faults };
}

/** Opens screens for the whole time without a reload. @returns the heap at a quarter of the time and at its end */
async function visitor(browser: Browser, { origin, notes, folders }: Desk, start: number, end: number) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
  await context.request.post(`${origin}/login`, {
    data: { username: 'Administrator', password: 'Administrator' },
  });
  const page = await context.newPage();
  await page.goto(`${origin}/home`, { waitUntil: 'networkidle' });
  const documents = notes.flatMap(({ uid }) =>
    ['', '/activity', '/versions', '/permissions', '/edit'].map((tab) => `/document/${uid}${tab}`),
  );
  const others = ['/search?words=line', '/tasks', '/trash', '/admin/users', '/admin/audit', '/admin/model'];
  const addresses = [...folders.map((folder) => `/browse${folder}`), ...documents, ...others];
  let quarter: number | undefined;
  for (let nth = 0; Date.now() < end; nth += 1) {
    await page.evaluate(
      (address) => {
        history.pushState({}, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
      },
      addresses[nth % addresses.length] ?? '',
    );
    await page.waitForTimeout(1_000);
    if (Date.now() > start + (end - start) / 4) quarter ??= await heap(page);
  }
  return { quarter: quarter ?? Number.NaN, last: await heap(page) };
}

await toTheEnd(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const { url } = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const { origin } = new URL(url);
  const api = apiOf(`${origin}/api/v1`);
  const desk = await create(api, '/default-domain/workspaces', 'Workspace', 'desk');
  for (const name of ['ann', 'bob']) {
    const properties = { username: name, password: name, groups: ['members'] };
    await api('POST', '/user', { 'entity-type': 'user', properties });
    await api('POST', `/path${desk.path}/@op/Document.AddPermission`, {
      params: { user: name, permission: 'ReadWrite' },
    });
  }
  const folders: string[] = [];
  for (const name of ['left', 'right']) folders.push((await create(api, desk.path, 'Folder', name)).path);
  for (const name of ['ann', 'bob']) await create(api, folders[0] ?? '', 'File', `own-${name}`);
  const notes: Note[] = [];
  for (let nth = 0; nth < Number(values.notes); nth += 1) {
    const properties = { 'note:note': 'The first line', 'note:mime_type': 'text/markdown' };
    const { uid } = await create(api, desk.path, 'Note', `note-${nth}`, properties);
    notes.push({ uid, title: `note-${nth}` });
  }
  const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
  atEnd(() => browser.close());
  const start = Date.now();
  const end = start + Number(values.minutes) * 60_000;
  const at = { origin, notes, folders };
  const [ann, bob, memory] = await Promise.all([
    person(browser, at, 'ann', end),
    person(browser, at, 'bob', end),
    visitor(browser, at, start, end),
  ]);

  const lost: string[] = [];
  for (const { name, confirmed, faults } of [ann, bob]) {
    for (const { uid, line } of confirmed.lines) {
      const { properties } = await api<{ properties: Record<string, string> }>('GET', `/id/${uid}`);
      if (!properties['note:note']?.split('\n').includes(line)) lost.push(`${uid}: ${line}`);
    }
    for (const { uid, text } of confirmed.comments) {
      const { entries } = await api<{ readonly entries: ReadonlyArray<{ readonly text: string }> }>(
        'GET',
        `/id/${uid}/@comment?pageSize=1000`,
      );
      if (!entries.some((entry) => entry.text === text)) lost.push(`${uid}: ${text}`);
    }
    await api('GET', `/path${confirmed.folder}/own-${name}`).catch(() => lost.push(`own-${name}`));
    lost.push(...faults);
    const { lines, comments, conflicts } = confirmed;
    console.log(
      `${name}: ${lines.length} lines, ${comments.length} comments and as many moves, asked ${conflicts} times because the other had saved the same text`,
    );
  }
  const growth = memory.last - memory.quarter;
  console.log(
    `Heap of a page: ${memory.quarter.toFixed(1)} MB at a quarter, ${memory.last.toFixed(1)} MB at the end.`,
  );
  if (lost.length > 0) console.log(`Lost or wrong:\n  ${lost.join('\n  ')}`);
  if (lost.length > 0 || growth > maxGrowth) process.exitCode = 1;
});
