/** @group slow */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath, drop, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

(chromiumPath ? describe : describe.skip)('The console during uploads and after the end of a session', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const batches = () => server.database.prisma.uploadBatch.count();
  const namesIn = async (parent: DocumentEntity): Promise<string[]> => {
    const { body } = await server.request.get(`/api/v1/id/${parent.uid}/@children`).expect(200);
    return body.entries.map(({ title }: DocumentEntity) => title).sort();
  };

  /** Creates files to upload, and holds the requests that send them until the test releases them. */
  async function holdUploads(page: Page, names: readonly string[], size = 10) {
    const from = newFolder();
    const files = names.map((name) => join(from, name));
    for (const file of files) await writeFile(file, Buffer.alloc(size, 'x'));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let heldCount = 0;
    await page.route(/\/upload\/[^/]+\/0$/, async (route) => {
      if (route.request().headers()['x-upload-chunk-index'] !== '0') {
        heldCount += 1;
        await released;
      }
      await route.continue().catch(() => {}); // the request was canceled
    });
    return { files, release, heldCount: () => heldCount };
  }

  beforeAll(async () => {
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Arriving' } });
  });

  test('cancels single uploads, deletes their batches, and closes the panel once all others have succeeded', async () => {
    const { page, signIn, go, expectGood } = await visit();
    await page.clock.install();
    await signIn();
    await go(`/browse${folder.path}`);
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin'];
    const { files, release, heldCount } = await holdUploads(page, names);
    await drop(page, '.drop-zone', files);
    await page.getByText('0 of 5 files uploaded').waitFor();
    await until(async () => heldCount() === 3 && (await batches()) === 3);
    await expectGood('the uploads under way');
    await page.getByRole('button', { name: 'Cancel the upload of a.bin' }).click();
    await page.getByRole('button', { name: 'Cancel the upload of e.bin' }).click();
    await page.getByText('0 of 3 files uploaded').waitFor();
    await page.getByRole('button', { name: 'Hide files' }).click();
    await page.getByText('b.bin', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show files' }).click();
    await page.getByText('b.bin', { exact: true }).waitFor();
    release();
    await page.getByText('3 of 3 files uploaded').waitFor();
    expect(await namesIn(folder)).toEqual(['b.bin', 'c.bin', 'd.bin']);
    await until(async () => (await batches()) === 0);
    await page.clock.fastForward(5_000);
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
    await expectGood('the uploads that were left');
  });

  test('cancels all uploads at once, including those in chunks, and deletes what has arrived', async () => {
    const { page, signIn, go, expectGood } = await visit();
    const other = await createDocument(server, { type: 'Workspace' });
    await signIn();
    await go(`/browse${other.path}`);
    const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin'];
    const { files, release, heldCount } = await holdUploads(page, names, 6_000_000);
    await drop(page, '.drop-zone', files);
    await until(async () => heldCount() === 3);
    expect(await server.database.prisma.uploadChunk.count()).toBe(3);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
    await until(async () => (await batches()) === 0);
    release();
    await page.reload(); // the browser does not ask, because no upload is running
    await page.getByRole('heading', { name: other.title }).waitFor();
    expect(await namesIn(other)).toEqual([]);
    await expectGood('after the uploads');
  });

  test('repeats an upload after a lost connection or a busy answer, and fails it after a refusal', async () => {
    const { page, signIn, go } = await visit();
    await page.clock.install();
    const other = await createDocument(server, { type: 'Workspace' });
    const from = join(newFolder(), 'Letters');
    await mkdir(from);
    for (const name of ['a.txt', 'refused.txt']) await writeFile(join(from, name), name);
    await signIn();
    await go(`/browse${other.path}`);
    const once = { times: 1 };
    let folders = 0;
    await page.route(/\/graphql$/, (route) => {
      const isLost = route.request().postData()?.includes('CreateFolder') && ++folders === 1;
      return isLost ? route.abort('connectionreset') : route.continue();
    });
    await page.route(/\/upload$/, (route) => route.fulfill({ status: 503, body: 'busy' }), once);
    await page.route(/\/upload\/[^/]+\/0$/, (route) =>
      decodeURIComponent(route.request().headers()['x-file-name'] ?? '') === 'refused.txt'
        ? route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' })
        : route.continue(),
    );
    // The document is created, but the answer is lost.
    let isMade = false;
    await page.route(/\/execute\/FileManager.Import$/, async (route) => {
      if (isMade) return route.continue();
      isMade = (await route.fetch()).ok();
      return route.abort('connectionreset');
    });
    await drop(page, '.drop-zone', [from]);
    await page.getByText('1 of 2 files uploaded · 1 failed').waitFor();
    await page.clock.fastForward(10_000);
    expect([folders, isMade]).toEqual([2, true]);
    await page.getByRole('listitem').filter({ hasText: 'refused.txt' }).getByLabel('Failed').waitFor();
    const { body } = await server.request.get(`/api/v1/path${other.path}/Letters/@children`).expect(200);
    expect(body.entries.map(({ title }: DocumentEntity) => title)).toEqual(['a.txt']);
    await until(async () => (await batches()) === 0);
  });

  test('cancels the upload of a form by its button or by leaving, and saves the form without the file', async () => {
    const { page, signIn, go } = await visit();
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'Without' } });
    await signIn();
    await go(`/document/${uid}/edit`);
    const { files, heldCount } = await holdUploads(page, ['scan.bin', 'other.bin']);
    const chosen = page.locator('.edit-form input[type=file]').first();
    await chosen.setInputFiles(files.slice(0, 1));
    await until(async () => heldCount() === 1);
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await until(async () => (await batches()) === 0);
    await chosen.setInputFiles(files.slice(1));
    await until(async () => heldCount() === 2);
    const isAsked = () =>
      page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await isAsked()).toBe(true);
    await go(`/document/${uid}`);
    await until(async () => (await batches()) === 0);
    expect(await isAsked()).toBe(false);
    await go(`/document/${uid}/edit`);
    await page.getByLabel('Title', { exact: true }).fill('Without a file');
    await page.locator('.edit-form button[type=submit]').click();
    await page.getByRole('heading', { name: 'Without a file' }).waitFor();
    const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200);
    expect(body.properties).toMatchObject({ 'dc:title': 'Without a file', 'file:content': null });
  });

  test('continues a dialog after the session has ended, once the user has entered the password', async () => {
    const { page, signIn, go, expectGood, faults } = await visit();
    await signIn();
    await go(`/browse${folder.path}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New', exact: true });
    await dialog.getByLabel('Title').fill('Typed before');
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await again.getByRole('alert').getByText('Incorrect username or password.').waitFor();
    expect(faults.splice(0).join()).toContain('401');
    await expectGood('signing in again');
    expect(await again.getByLabel('Username').inputValue()).toBe('Administrator');
    await again.getByLabel('Password').fill('Administrator');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Typed before' }).waitFor();
    expect(await namesIn(folder)).toContain('Typed before');
    await expectGood('the document that was made');
  });

  test('continues an upload after the session has ended', async () => {
    const { page, signIn, go, faults } = await visit();
    const other = await createDocument(server, { type: 'Workspace' });
    await signIn();
    await go(`/browse${other.path}`);
    const { files, release, heldCount } = await holdUploads(page, ['late.bin'], 6_000_000);
    await drop(page, '.drop-zone', files);
    await until(async () => heldCount() === 1);
    await page.context().clearCookies();
    release();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill('Administrator');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1 files uploaded').waitFor();
    expect(await namesIn(other)).toEqual(['late.bin']);
    expect(faults.join()).toContain('401');
  });

  test('shows nothing of the previous user when another user signs in', async () => {
    const { page, signIn, go } = await visit();
    await signIn();
    await go(`/browse${folder.path}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Given up');
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Username').inputValue()).toBe('');
    expect(await namesIn(folder)).not.toContain('Given up');
  });
});
