/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { zipOf } from '../support/made-files.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('The viewer of the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  const addresses = new Map<string, string>();

  const upload = async (parent: string, name: string, bytes: Buffer, type: string) => {
    const { body } = await server.request.post('/api/v1/upload').expect(201);
    await server.request
      .post(`/api/v1/upload/${body.batchId}/0`)
      .set({ 'X-File-Name': name, 'X-File-Type': type, 'Content-Type': 'application/octet-stream' })
      .send(bytes)
      .expect(201);
    const file = { 'upload-batch': body.batchId, 'upload-fileId': '0' };
    const properties = { 'dc:title': name, 'file:content': file };
    const { uid } = await createDocument(server, { parent, type: 'File', name, properties });
    addresses.set(name, `/document/${uid}`);
  };

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    const { path } = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Kinds' } });
    await setAcl(server, path, [{ username: 'ann', permission: 'Read' }]);
    const document = await PDFDocument.create();
    for (let page = 1; page <= 12; page += 1)
      document
        .addPage([400, 500])
        .drawText(`This is page ${page} about pelicans`, { x: 40, y: 400, size: 16 });
    const pdf = Buffer.from(await document.save());
    await upload(path, 'report.pdf', pdf, 'application/pdf');
    await upload(path, 'damaged.pdf', Buffer.from('%PDF-1.4 damaged'), 'application/pdf');
    await upload(path, 'prices.csv', Buffer.from('fruit,price\napple,1\n'), 'text/csv');
    await upload(path, 'files.zip', await zipOf({ 'inside.txt': 'x' }), 'application/zip');
    await upload(path, 'empty.txt', Buffer.alloc(0), 'text/plain');
  });

  test.each([
    { viewport: { width: 1280, height: 800 } },
    { viewport: { width: 400, height: 800 }, colorScheme: 'dark' as const },
  ])('draws the pages of a PDF, whose text can be selected and found: %j', async (options) => {
    const { page, signIn, open, expectGood } = await visit(options);
    await signIn('ann', password);
    await open(addresses.get('report.pdf') ?? '');
    await page.getByText('Page 1 of 12').waitFor();
    const first = page.getByRole('group', { name: 'Page 1', exact: true });
    await until(() =>
      first.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth > 500),
    );
    const line = first.getByText('This is page 1 about pelicans');
    const [shown, sheet] = [await line.boundingBox(), await first.boundingBox()];
    // The baseline of the text is 400 points above the lower edge of a page of 400 by 500 points.
    const scale = (sheet?.width ?? 0) / 400;
    expect(Math.abs((shown?.x ?? 0) - (sheet?.x ?? 0) - 40 * scale)).toBeLessThan(3);
    expect(Math.abs((shown?.y ?? 0) + (shown?.height ?? 0) - (sheet?.y ?? 0) - 104 * scale)).toBeLessThan(4);
    await line.selectText();
    expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(
      'This is page 1 about pelicans',
    );
    await expectGood('a PDF');
    const stage = page.getByRole('region', { name: 'Pages of report.pdf' });
    await stage.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('page 9 ABOUT');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByText('Page 9 of 12').waitFor();
    await page.locator('mark.current', { hasText: 'page 9 about' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find in document' }).fill('pelicans');
    await page.getByText('1 of 12', { exact: true }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('12 of 12', { exact: true }).waitFor();
    await expectGood('matches');
    const widthOf = async () => (await first.boundingBox())?.width ?? 0;
    const before = await widthOf();
    await stage.focus();
    await page.keyboard.press('+');
    expect(await widthOf()).toBeGreaterThan(before);
  });

  test('fills the screen with the key F, also for the next document, until Escape', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open('/browse/default-domain/workspaces');
    await page.getByRole('link', { name: 'Kinds' }).first().click();
    await page.getByRole('link', { name: 'files.zip' }).click();
    await page.frameLocator('.preview iframe').frameLocator('iframe').getByText('inside.txt').waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('f');
    const isFull = async () => {
      const { width } = (await page.locator('.preview').boundingBox()) ?? { width: 0 };
      return width === page.viewportSize()?.width;
    };
    await until(isFull);
    await expectGood('full screen');
    await page.keyboard.press('ArrowRight');
    const table = page.frameLocator('.preview iframe').frameLocator('iframe');
    await table.getByRole('cell', { name: 'apple' }).waitFor();
    await until(isFull);
    await page.getByRole('button', { name: 'Leave full screen' }).click();
    await until(async () => !(await isFull()));
  });

  test('says what is empty or damaged, in French as well', async () => {
    const { page, signIn, open, expectGood } = await visit({ locale: 'fr' });
    await signIn('ann', password);
    await open(addresses.get('empty.txt') ?? '');
    await page.getByText('Ce fichier est vide.').waitFor();
    await expectGood('an empty file');
  });

  test('shows the message of the server for a PDF that it cannot read', async () => {
    const { page, signIn, faults } = await visit();
    await signIn('ann', password);
    // The browser of the tests does not finish loading the PDF itself, which follows the message.
    await page.goto(new URL(addresses.get('damaged.pdf') ?? '', page.url()).href);
    await page.frameLocator('.preview iframe').getByText('This file cannot be read.').waitFor();
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});
