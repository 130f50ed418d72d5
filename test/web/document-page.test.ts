/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Pictures and the page of a document in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const create = (parent: string, type: string, title: string, properties = {}) =>
    createDocument(server, { parent, type, name: title, properties: { 'dc:title': title, ...properties } });

  const createPicture = async (parent: string, name: string, background: string) => {
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background } })
      .png()
      .toBuffer();
    const { body } = await server.request.post('/api/v1/upload').expect(201);
    await server.request
      .post(`/api/v1/upload/${body.batchId}/0`)
      .set({ 'X-File-Name': name, 'X-File-Type': 'image/png', 'Content-Type': 'application/octet-stream' })
      .send(bytes)
      .expect(201);
    const file = { 'upload-batch': body.batchId, 'upload-fileId': '0' };
    return create(parent, 'Picture', name, { 'file:content': file });
  };

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await create('/default-domain/workspaces', 'Workspace', 'Photographs');
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
    await createPicture(folder.path, 'a.png', 'red');
    await createPicture(folder.path, 'b.png', 'green');
    await create(folder.path, 'Note', 'c note', { 'note:note': 'cobalt' });
    await create(folder.path, 'Folder', 'z folder');
  });

  test('shows folders first, and pictures as a grid that the browser remembers', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByText('4 items').waitFor();
    const first = page.getByRole('grid').getByRole('row').nth(1);
    expect(await first.getByRole('link').textContent()).toBe('z folder');
    await page.getByRole('radio', { name: 'Grid' }).click();
    const shown = () =>
      page
        .locator('.tile img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0));
    await until(async () => String(await shown()) === 'true,true');
    await expectGood('the grid');
    await page.reload();
    await until(async () => String(await shown()) === 'true,true');
    await page.getByRole('row', { name: 'a.png' }).locator('.checkbox').click();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('row', { name: 'a.png' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'a.png' }).waitFor();
  });

  test('keeps the preview while other things change, and leads to the neighbours in the list', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('link', { name: 'c note' }).click();
    await page.frameLocator('.preview iframe').getByText('cobalt').waitFor();
    const frame = page.locator('.preview iframe');
    await frame.evaluate((element) => Object.assign(element, { isKept: true }));
    const address = await frame.getAttribute('src');
    await page.getByRole('button', { name: 'Favorite' }).click();
    await page.getByText('Added to favorites').waitFor();
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('Two Words');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Added as “twowords”').waitFor();
    await page.getByRole('row', { name: 'twowords' }).waitFor();
    expect(await frame.evaluate((element) => 'isKept' in element)).toBe(true);
    expect(await frame.getAttribute('src')).toBe(address);
    await expectGood('the document');
    await page.getByText('3 of 3').waitFor();
    await page.getByRole('button', { name: 'Previous document' }).click();
    await page.getByRole('heading', { name: 'b.png' }).waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('heading', { name: 'a.png' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download', exact: true }).click();
    expect((await download).suggestedFilename()).toBe('a.png');
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'Photographs' }).waitFor();
  });

  test('requires a title, and edits the text of a note and its format first', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { uid } = await create(folder.path, 'Note', 'Minutes', { 'note:note': '# Agenda' });
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const labels = await page.locator('.edit-form .field > :is(label, .label)').allTextContents();
    expect(labels.slice(0, 2)).toEqual(['Title', 'Text']);
    await page.getByLabel('Title').fill(' ');
    await page.getByRole('button', { name: /Format/ }).click();
    await page.getByRole('option', { name: 'Markdown' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a title.').first().waitFor();
    expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
    await expectGood('the missing title');
    await page.getByLabel('Title').fill('Minutes of May');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .frameLocator('.preview iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Agenda' })
      .waitFor();
  });

  test('names what is wrong with a value at its field, and copies a secret that is shown once', async () => {
    const { page, signIn, open, expectGood, faults } = await visit({ permissions: ['clipboard-read'] });
    await signIn();
    await open('/admin/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByLabel('Username').fill('carol');
    await dialog.getByLabel('Email').fill('nowhere');
    await dialog.getByLabel('Password').fill('a-long-password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const said = 'Enter an email address, such as name@example.org.';
    await dialog.locator('.field', { hasText: 'Email' }).getByText(said).waitFor();
    expect(await dialog.getByText('pattern').count()).toBe(0);
    faults.length = 0;
    await expectGood('the message');
    await open('/account');
    await page.getByRole('button', { name: 'New app password' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const shown = await page.locator('.dialog .code').textContent();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    await open('/admin/audit');
    await page.getByRole('link', { name: 'z folder' }).first().waitFor();
  });
});
