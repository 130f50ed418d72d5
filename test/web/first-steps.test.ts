/** @group slow */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pMap from 'p-map';
import { chromiumPath, drop, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const manyLines = Array.from({ length: 100 }, (_, line) => `line ${line}`);

(chromiumPath === undefined ? describe.skip : describe)('First steps in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const create = (parent: string, type: string, title: string, properties = {}) =>
    createDocument(server, { parent, type, name: title, properties: { 'dc:title': title, ...properties } });

  beforeAll(async () => {
    folder = await create('/default-domain/workspaces', 'Workspace', 'Office');
  });

  test('uploads files into the folder that they are dropped on, and lists them while others upload', async () => {
    const { open, signIn, expectGood, page } = await visit();
    await create(folder.path, 'Folder', 'Letters');
    const from = join(newFolder(), 'Mails');
    await mkdir(from);
    await pMap(
      Array.from({ length: 6 }, (_, index) => index),
      (index) => writeFile(join(from, `mail ${index}.txt`), 'words'),
    );
    await signIn();
    await open(`/browse${folder.path}`);
    let mayEnd = false;
    const held = until(() => mayEnd);
    let sent = 0;
    await page.route(/\/upload\/[^/]+\/0$/, async (route) => {
      sent += 1;
      if (sent > 5) await held;
      else await page.waitForTimeout(1_200);
      await route.continue();
    });
    await drop(page, '[role=row] .title-cell', [from]); // the drop is below the title, but within the same row
    await page.getByText('of 6 files uploaded').waitFor();
    await page.getByRole('row', { name: 'Letters' }).click();
    await page.getByRole('heading', { name: 'Letters' }).waitFor();
    await page.getByRole('row', { name: 'Mails' }).click();
    await page.getByRole('heading', { name: 'Mails' }).waitFor();
    await until(async () => (await page.getByRole('row', { name: /^mail/ }).count()) === 5);
    expect(await page.getByText('6 of 6 files uploaded').count()).toBe(0);
    mayEnd = true;
    await page.getByText('6 of 6 files uploaded').waitFor();
    await expectGood('the uploads');
  });

  test('keeps the header of a long list above the scrolled rows', async () => {
    const { open, signIn, page } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Long');
    await pMap(manyLines.slice(0, 40), (title) => create(path, 'Folder', title), { concurrency: 8 });
    await signIn();
    await open(`/browse${path}`);
    await page.locator('.table').evaluate((table) => table.scrollTo(0, 300));
    const { height } = (await page.locator('.table-head').boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(30);
  });

  test('creates a version only after changes, and shows the changed lines', async () => {
    const { open, signIn, expectGood, page } = await visit();
    const { uid } = await create(folder.path, 'File', 'Plan', { 'dc:description': manyLines.join('\n') });
    await signIn();
    await open(`/document/${uid}/versions`);
    const createVersion = async () => {
      await page.getByRole('button', { name: 'New version' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    };
    await createVersion();
    await page.getByText('No changes since version 0.1').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    const changed = manyLines.with(50, 'another line').join('\n');
    await page.getByRole('textbox', { name: 'Description' }).fill(changed);
    await page.locator('main').evaluate((screen) => screen.scrollTo(0, 10_000));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    expect(await page.locator('main').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.getByRole('link', { name: 'Versions' }).click();
    await createVersion();
    await page.getByText('No changes since version 0.2').waitFor();
    expect((await page.locator('.differences ins').allTextContents()).join(' ')).toBe('another line');
    const shown = await page.locator('.differences dd').textContent();
    expect([shown?.includes(manyLines[49] ?? ''), shown?.includes(manyLines[10] ?? '')]).toEqual([
      true,
      false,
    ]);
    await expectGood('the versions');
  });
});
