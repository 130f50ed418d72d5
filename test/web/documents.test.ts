/** @group slow */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { only, setAcl } from '../support/acls.ts';
import { chromiumPath, drop, useBrowser } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { pdfOf } from '../support/made-files.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';
import { type Created, documentCreator } from './document-creator.ts';

const contextPath = '/quire';

(chromiumPath === undefined ? describe.skip : describe)('A document in the console', () => {
  const server = useServer({ CONTEXT_PATH: contextPath });
  const visit = useBrowser(server, contextPath, chromiumPath); // the headless shell cannot show PDFs
  let folder: Created;
  let note: Created;

  const create = documentCreator(server);

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await create('/default-domain/workspaces', 'Workspace', 'Accounting');
    note = await create(folder.path, 'Note', 'A note', { 'note:note': 'cobalt' });
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
  });

  test('uploads dropped files and folders, large files in chunks, and previews them', async () => {
    const { open, signIn, expectGood, page, faults } = await visit();
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('heading', { name: 'Accounting' }).waitFor();
    const from = newFolder();
    await mkdir(join(from, 'Letters'));
    await writeFile(join(from, 'Letters', 'inner.txt'), 'some words');
    await writeFile(join(from, 'dropped.txt'), 'some words');
    await writeFile(join(from, 'paper.pdf'), pdfOf('some words'));
    await writeFile(join(from, 'long.bin'), Buffer.alloc(6_000_000, 'x'));
    // One chunk is lost once, and the upload sends it again.
    let isLost = false;
    await page.route(/\/upload\/[^/]+\/0$/, (route) => {
      if (isLost || route.request().headers()['x-upload-chunk-index'] !== '1') return route.continue();
      isLost = true;
      return route.abort('connectionreset');
    });
    await drop(
      page,
      '.drop-zone',
      ['Letters', 'dropped.txt', 'paper.pdf', 'long.bin'].map((name) => join(from, name)),
    );
    await page.getByText('4 of 4 files uploaded').waitFor();
    expect(faults.splice(0).join()).toContain('net::ERR_CONNECTION_RESET');
    await page.getByRole('row', { name: 'Letters' }).waitFor();
    await page.getByRole('row', { name: /dropped/ }).waitFor();
    await page.getByRole('row', { name: /long/ }).waitFor();
    await expectGood('the uploads');
    await page.getByRole('row', { name: /dropped/ }).click();
    await page.getByRole('heading', { name: /dropped/ }).waitFor();
    await page.frameLocator('iframe').getByText('some words').waitFor();
    await expectGood('the uploaded file');
    await page.goBack();
    await page.getByRole('row', { name: /paper/ }).click();
    await page.getByRole('region', { name: 'Pages of paper.pdf' }).waitFor();
    await expectGood('the PDF');
  });

  test('names the lock owner or the missing permission when a document cannot be saved', async () => {
    const { open, signIn, page } = await visit();
    await signIn('ann', password);
    const { uid, path } = await create(folder.path, 'Note', 'Soon locked');
    const change = async (title: string) => {
      await page.getByLabel('Title').first().fill(title);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await open(`/document/${uid}/edit`);
    await page.getByLabel('Title').first().waitFor();
    const call = (operation: string) =>
      server.request.post(`/quire/api/v1/automation/${operation}`).send({ input: uid }).expect(200);
    await call('Document.Lock');
    await change('Mine');
    await page.getByText('Locked by Administrator').first().waitFor();
    await call('Document.Unlock');
    await setAcl(server, path, [{ username: 'ann', permission: 'WriteProperties', granted: false }]);
    await change('Mine again');
    await page.getByText('You do not have the “').waitFor();
  });

  test('offers the download of a file without a preview, and says if a file cannot be read', async () => {
    const { open, signIn, expectGood, page, faults } = await visit();
    await signIn('ann', password);
    const withoutPreview = {
      'a.7z': 'application/x-7z-compressed',
      'a.bin': 'application/octet-stream',
      'a.mp4': 'video/mp4',
    };
    const unreadable = {
      'a.jpg': 'image/jpeg',
      'a.heic': 'image/heic',
      'a.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    };
    const openFile = async (name: string, type: string) => {
      const content = `bytes of ${name}`;
      const file = { content, name, 'mime-type': type };
      const { uid } = await create(folder.path, 'File', name, { 'file:content': file });
      await open(`/document/${uid}`);
      return content;
    };
    for (const [name, type] of Object.entries(unreadable)) {
      await openFile(name, type);
      await page.frameLocator('.preview iframe').getByText('This file cannot be read.').waitFor();
      faults.length = 0; // the browser reports the damaged picture
      await expectGood(name);
    }
    for (const [name, type] of Object.entries(withoutPreview)) {
      const content = await openFile(name, type);
      const said = page.getByText(`No preview is available for this type of file (${type})`);
      await said.waitFor();
      expect(await page.locator('.preview').locator('img, video, iframe').count()).toBe(0);
      const download = page.waitForEvent('download');
      await said.getByRole('link', { name }).click();
      const saved = await download;
      expect(saved.suggestedFilename()).toBe(name);
      expect(await readFile(await saved.path(), 'utf8')).toBe(content);
      if (name === 'a.mp4') faults.length = 0; // the browser reports the damaged film
      await expectGood(name);
    }
    const { uid } = await create(folder.path, 'File', 'empty');
    await open(`/document/${uid}`);
    await page.getByText('No preview is available.').waitFor();
    await expectGood('without a file');
    const picture = {
      content: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      name: 'a.svg',
    };
    const seen = await create(folder.path, 'File', 'a picture', {
      'file:content': { ...picture, 'mime-type': 'image/svg+xml' },
    });
    await open(`/document/${seen.uid}`);
    await page.waitForFunction(() => document.querySelector('img')?.naturalWidth === 9);
    const later = await create(folder.path, 'File', 'later', { 'file:content': picture });
    await server.request.get(`/quire/api/v1/id/${later.uid}/@blob`).expect(200);
    const downloads = async (id: string): Promise<number> => {
      await server.journal.flush();
      const { body } = await server.request
        .get(`/quire/api/v1/id/${id}/@audit`)
        .query({ eventId: 'download' });
      return body.resultsCount;
    };
    await until(async () => (await downloads(later.uid)) === 1);
    expect(await downloads(seen.uid)).toBe(0); // previews are not downloads
  });

  test('explains the access of a user, grants a permission and removes it', async () => {
    const { open, signIn, expectGood, page } = await visit();
    await signIn();
    await open(`/document/${note.uid}/permissions`);
    await page.getByRole('combobox', { name: 'User' }).fill('ann');
    await page.getByRole('option', { name: 'ann' }).click();
    const row = page.getByRole('row', { name: /Edit properties/ });
    await row.getByText('“Read and write” is granted to ann').waitFor();
    await row.getByRole('link', { name: 'Accounting' }).waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('combobox', { name: 'User or group' }).fill('mem');
    await page.getByRole('option', { name: 'Members' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: /^Remove: Members.*, Read$/ }).click();
    const question = page.getByRole('dialog', { name: 'Remove access' });
    await question.getByText(/loses “Read”/).waitFor();
    await expectGood('the question');
    await question.getByRole('button', { name: 'Remove access' }).click();
    await page.getByText('Permissions changed').waitFor();
    await page.getByRole('button', { name: 'Stop inheriting permissions' }).click();
    const losers = page.getByRole('dialog').getByRole('listitem');
    await losers.filter({ hasText: /^ann.*: Read and write$/ }).waitFor();
    await losers.filter({ hasText: /^Members.* \(\d+ p(eople|erson)\): Read$/ }).waitFor();
    await expectGood('those who lose access');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This document does not inherit').waitFor({ state: 'detached' });
    const closed = await create(folder.path, 'Folder', 'Closed');
    await setAcl(server, closed.path, only('Administrator', 'Everything'));
    await open(`/document/${closed.uid}/permissions`);
    await page.getByRole('combobox', { name: 'User' }).fill('ann');
    await page.getByRole('option', { name: 'ann' }).click();
    await row.getByText('Inheritance of permissions was stopped').waitFor();
    expect(await row.textContent()).toContain('stopped on Closed by Administrator');
    await expectGood('the reason of a block');
  });

  test('creates a version, shows its differences from the previous one, and restores it', async () => {
    const { open, signIn, expectGood, page } = await visit();
    const { uid } = await create(folder.path, 'Note', 'Versioned', { 'note:note': 'first text' });
    await signIn('ann', password);
    for (const words of ['second text', 'third text']) {
      await open(`/document/${uid}/edit`);
      await page.getByRole('textbox', { name: 'Text' }).fill(words);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.frameLocator('iframe').getByText(words).waitFor();
      await open(`/document/${uid}/versions`); // each change of a note creates a version
      await page.getByText(words).first().waitFor();
    }
    await page.getByText('second text').first().waitFor();
    await page.getByText('No changes since version 0.3').waitFor();
    expect(await page.getByRole('button', { name: 'New version' }).isDisabled()).toBe(true);
    await expectGood('the versions');
    await page.getByRole('button', { name: 'Restore: 0.1' }).click();
    await page.getByText('Version 0.1 restored').waitFor();
    await open(`/document/${uid}`);
    await page.frameLocator('iframe').getByText('first text').waitFor();
  });

  test('starts a review and completes its tasks', async () => {
    const { open, signIn, expectGood, page, faults } = await visit();
    await signIn('ann', password);
    await open(`/document/${note.uid}/workflows`);
    await page.getByRole('button', { name: /Sequential review/ }).click();
    await page.getByRole('button', { name: 'Start review' }).click();
    await page.getByRole('alert').getByText('This field is required.').waitFor();
    faults.length = 0;
    await page.getByRole('button', { name: /Add: Participants/ }).click();
    await page.getByRole('combobox', { name: 'Participants 1' }).fill('ann');
    await page.getByRole('option', { name: 'ann' }).click();
    await page.getByLabel('Message to participants').fill('Before Friday');
    await expectGood('the task');
    await page.getByRole('button', { name: 'Start review' }).click();
    await page.getByRole('heading', { name: 'Review the document' }).waitFor();
    await open('/tasks');
    await page.getByText('Before Friday').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('No tasks').waitFor();
    await open(`/document/${note.uid}`);
    await page.getByText('Approved', { exact: true }).first().waitFor();
    await expectGood('the approved document');
  });

  test('manages a collection, and ends the session when the password is changed', async () => {
    const { open, signIn, expectGood, page } = await visit();
    await createUser(server, 'bob', ['members']);
    await signIn('bob', password);
    const { uid } = await create('/default-domain/workspaces', 'Note', 'Collected');
    await open(`/document/${uid}`);
    await page.getByRole('button', { name: 'Add to a collection' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Chosen');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: 'Chosen' }).click();
    await page.getByRole('row', { name: 'Collected' }).waitFor();
    await expectGood('the collection');
    const bob = as(server, 'bob');
    for (let number = 10; number <= 30; number += 1)
      await bob
        .post('/quire/api/v1/automation/Collection.Create')
        .send({ params: { name: `Box ${number}` } })
        .expect(200);
    await open(`/document/${uid}`);
    await page.getByRole('button', { name: 'Add to a collection' }).click();
    const box = page.getByRole('combobox', { name: 'Collection' });
    await box.click();
    await page.getByRole('option', { name: 'Box 29' }).waitFor();
    expect(await page.getByRole('option', { name: 'Box 30' }).count()).toBe(0);
    await box.fill('box 30');
    await page.getByRole('option', { name: 'Box 30' }).click();
    await expectGood('the dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: 'Box 30' }).waitFor();
    const openAccount = () => page.getByRole('button', { name: 'Account: bob' }).click();
    await openAccount();
    await page.getByRole('menuitem', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'Email me about tasks, comments and changes' }).click();
    await page.getByRole('option', { name: 'Once a day' }).click();
    await until(async () => (await bob.get('/quire/api/v1/me/notifications')).body.frequency === 'daily');
    await page.getByRole('dialog').getByRole('button', { name: 'Email language' }).click();
    await page.getByRole('option', { name: 'Français' }).click();
    await until(async () => (await bob.get('/quire/api/v1/me/notifications')).body.language === 'fr');
    await expectGood('the choice of notifications');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await openAccount();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('another-one');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn('bob', 'another-one');
    await expectGood('signed in again');
  });
});
