/** @group slow */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pMap from 'p-map';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, drop, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Lists of the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const create = (parent: string, type: string, title: string, properties = {}) =>
    createDocument(server, { parent, type, name: title, properties: { 'dc:title': title, ...properties } });
  const titlesIn = async (path: string): Promise<string[]> => {
    const { body } = await server.request.get(`/api/v1/path${path}/@children`).expect(200);
    return body.entries.map(({ title }: DocumentEntity) => title);
  };

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await create('/default-domain/workspaces', 'Workspace', 'Places');
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
  });

  test('returns to the sort order, the scroll position and the row when the user goes back', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Long');
    const titles = Array.from({ length: 150 }, (_, index) => `Item ${1_000 + index}`);
    await pMap(titles, (title) => create(path, 'Note', title), { concurrency: 8 });
    await signIn('ann', password);
    await open(`/browse${path}`);
    await page.getByRole('columnheader', { name: 'Title' }).click();
    await page.waitForURL(/sort=dc%3Atitle&order=descending/);
    const row = page.getByRole('row', { name: 'Item 1020' });
    await until(async () => {
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 5_400));
      return row.isVisible();
    });
    const scrolled = () => page.getByRole('grid').evaluate((grid) => grid.scrollTop);
    await row.getByRole('link', { name: 'Item 1020' }).click();
    await page.getByRole('heading', { name: 'Item 1020' }).waitFor();
    await page.goBack();
    await until(() =>
      page.evaluate(() => document.activeElement?.textContent?.includes('Item 1020') ?? false),
    );
    expect(await scrolled()).toBeGreaterThan(1_000);
    await expectGood('the list after going back');
  });

  test('has links in its rows, selects ranges with Shift, and opens a title while rows are selected', async () => {
    const { page, signIn, open } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Short');
    for (const title of ['A', 'B', 'C', 'D']) await create(path, 'Note', `Letter ${title}`);
    await signIn('ann', password);
    await open(`/browse${path}`);
    const row = (title: string) => page.getByRole('row', { name: `Letter ${title}` });
    // The browser can open a link in another tab. Headless Chromium does not always report such a page.
    expect(await row('B').getByRole('link').getAttribute('href')).toMatch(/\/document\/[\da-f-]{36}$/);
    await row('A').locator('.checkbox').click();
    await row('C')
      .locator('.checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await row('D').getByRole('link').click();
    await page.getByRole('heading', { name: 'Letter D' }).waitFor();
  });

  test('undoes a move, a new title and the trash from the notification', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1600, height: 800 } });
    const { path } = await create(folder.path, 'Folder', 'Undoing');
    await create(path, 'Folder', 'Inner');
    for (const title of ['One', 'Two']) await create(path, 'Note', title);
    await signIn('ann', password);
    await open(`/browse${path}`);
    const tick = (title: string) => page.getByRole('row', { name: title }).locator('.checkbox').click();
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page
        .getByText(/^Undone/)
        .first()
        .waitFor();
      for (const close of await page.locator('.notice').getByRole('button', { name: 'Close' }).all())
        await close.click();
    };
    await tick('One');
    await tick('Two');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('dialog').getByRole('row', { name: 'Places' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved (2)').waitFor();
    expect(await titlesIn(path)).toEqual(['Inner']);
    await expectGood('the notification');
    await undo();
    expect(await titlesIn(path)).toEqual(['Inner', 'One', 'Two']);
    await tick('Two');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Three');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Three' }).waitFor();
    await undo();
    await page.getByRole('row', { name: 'Two' }).waitFor();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByRole('row', { name: 'Two' }).waitFor({ state: 'detached' });
    await undo();
    await page.getByRole('row', { name: 'Two' }).waitFor();
  });

  test('asks what to do with a file that already exists: a new version, both, or neither', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Portraits');
    await signIn('ann', password);
    await open(`/browse${path}`);
    const from = newFolder();
    const file = join(from, 'portrait.bin');
    const upload = async (content: string) => {
      await writeFile(file, Buffer.from(`\u0000${content}`));
      await drop(page, '.drop-zone', [file]);
    };
    const answer = async (label: string) => {
      const dialog = page.getByRole('dialog', { name: 'This file already exists in this folder' });
      await dialog.getByText('portrait.bin').waitFor();
      if (label === 'Keep both') await expectGood('the question');
      await dialog.locator('.radio', { hasText: label }).click();
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const uploaded = async () => {
      await page.getByText('1 of 1 files uploaded').waitFor();
      await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
    };
    await upload('first');
    await uploaded();
    await upload('second');
    await answer('Upload as a new version');
    await uploaded();
    const { body } = await server.request.get(`/api/v1/path${path}/portrait.bin`).set('properties', '*');
    expect(body.properties).toMatchObject({ 'uid:major_version': 0, 'uid:minor_version': 2 });
    expect(body.properties['file:content'].length).toBe('7');
    await upload('third');
    await answer('Skip');
    expect(await titlesIn(path)).toEqual(['portrait.bin']);
    await upload('fourth');
    await answer('Keep both');
    await uploaded();
    expect(await titlesIn(path)).toEqual(['portrait.bin', 'portrait.bin']);
  });

  test('replaces the file of a document from its menus as a new version, unless others have locked it', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Sketches');
    const content = { content: 'first', name: 'plan.txt', 'mime-type': 'text/plain' };
    const { uid } = await create(path, 'File', 'Plan', { 'file:content': content });
    await create(path, 'Note', 'Remark', { 'note:note': 'cobalt' });
    const from = newFolder();
    const replace = async (name: string, press: () => Promise<void>) => {
      await writeFile(join(from, name), name);
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
      await chooser.setFiles(join(from, name));
      await page.getByText('1 of 1 files uploaded').waitFor();
      await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
      const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200);
      const { name: stored } = body.properties['file:content'];
      return [body.title, stored, body.properties['uid:minor_version']];
    };
    const entry = page.getByRole('menuitem', { name: 'Replace file' });
    await signIn('ann', password);
    await open(`/browse${path}`);
    await page.getByRole('row', { name: 'Remark' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await entry.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'Plan' }).click({ button: 'right' });
    expect(await replace('by row.txt', () => entry.click())).toEqual(['Plan', 'by row.txt', 2]);
    await open(`/document/${uid}`);
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    expect(await replace('by page.txt', () => entry.click())).toEqual(['Plan', 'by page.txt', 3]);
    await page.frameLocator('iframe').getByText('by page.txt').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('replace');
    const option = page.getByRole('option', { name: 'Replace file' });
    expect(await replace('by command.txt', () => option.click())).toEqual(['Plan', 'by command.txt', 4]);
    await expectGood('the document with another file');
    await server.request.post('/api/v1/automation/Document.Lock').send({ input: uid }).expect(200);
    await page.reload();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await entry.getByText('Locked by Administrator').waitFor();
  });

  test('marks the words that a search finds, sorts the results, and searches in one folder', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await create(folder.path, 'Folder', 'Metals');
    await create(path, 'Note', 'About iron', { 'note:note': 'Iron and vanadium make steel.' });
    await create(folder.path, 'Note', 'Vanadium');
    await signIn('ann', password);
    await open('/search?words=vanadium');
    await page.getByText('2 results').waitFor();
    const marked = page.getByRole('row', { name: 'About iron' }).locator('mark');
    expect(await marked.allTextContents()).toEqual(['vanadium']);
    await expectGood('the results');
    await page.getByRole('button', { name: /Sort by/ }).click();
    await page.getByRole('option', { name: 'Title' }).click();
    await page.waitForURL(/sort=dc%3Atitle/);
    await open(`/browse${path}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Search in this folder' }).click();
    await page.getByRole('row', { name: 'In Metals' }).waitFor();
    await page.getByRole('row', { name: 'About iron' }).waitFor();
    await page.getByText('1 result', { exact: true }).waitFor();
  });

  test('offers uploads only where files belong, and says when the network is away', async () => {
    const { page, signIn, open, go, faults, expectGood } = await visit();
    await signIn();
    await open('/browse/default-domain');
    await page.getByRole('button', { name: 'New', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0);
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await expectGood('offline');
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    faults.length = 0;
    await go('/admin/nothing');
    await page.getByText('Page not found').waitFor();
    await page.getByRole('link', { name: 'Go to documents' }).click();
    await page.waitForURL(/\/browse$/);
  });
});
