/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { runJobs } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('The appearance of the console', () => {
  const server = useServer({ WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1' });
  const visit = useBrowser(server);
  let folder: DocumentEntity;
  let file: DocumentEntity;

  beforeAll(async () => {
    await runJobs(server);
    await createUser(server, 'ann', ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Goods' } });
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'Everything' }]);
    file = await createDocument(server, {
      parent: folder.path,
      properties: {
        'dc:title':
          'A title that is much longer than the narrow column for titles in a small window of 400 pixels',
        'file:content': { content: 'cobalt', name: 'goods.txt', 'mime-type': 'text/plain' },
      },
    });
  });

  test('shows the whole text of a truncated title as a tooltip', async () => {
    const { page, signIn, open } = await visit({ viewport: { width: 400, height: 800 } });
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    const title = page.getByRole('row', { name: /^A title/ }).locator('.title-link');
    await title.hover();
    await until(async () => (await title.getAttribute('title')) === file.title);
  });

  test('keeps the list in its place when rows are selected, and offers all actions at any width', async () => {
    for (const [width, locale] of [
      [1440, 'en'],
      [1024, 'fr'],
      [400, 'fr'],
    ] as const) {
      const { page, signIn, open, expectGood } = await visit({ viewport: { width, height: 800 }, locale });
      await signIn('ann', password);
      await open(`/browse${folder.path}`);
      const row = page.getByRole('row', { name: /^A title/ });
      const topOf = async () => Math.round((await row.boundingBox())?.y ?? 0);
      const before = await topOf();
      await row.locator('.checkbox').click();
      await page.locator('.selection-bar').waitFor();
      await until(async () => Math.abs((await topOf()) - before) <= 4);
      const cut = await page
        .locator('.selection-bar')
        .evaluate((bar) => bar.scrollWidth > bar.clientWidth + 1);
      expect({ width, cut }).toEqual({ width, cut: false });
      const copy = locale === 'en' ? 'Copy' : 'Copier';
      if (width < 1440)
        await page
          .locator('.selection-bar')
          .getByRole('button', { name: 'Autres actions sur la sélection' })
          .click();
      await page.getByRole(width < 1440 ? 'menuitem' : 'button', { name: copy, exact: true }).waitFor();
      await expectGood(`the selection at ${width}`);
    }
  });

  test('shows the account menu and the tabs of a document at a width of 400 pixels', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 400, height: 800 } });
    await signIn('ann', password);
    await open(`/document/${file.uid}`);
    const avatar = await page.locator('.user-button .avatar').boundingBox();
    expect((avatar?.width ?? 0) > 20 && (avatar?.x ?? 400) < 380).toBe(true);
    await page.locator('.preview').waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    const heading = await page.getByRole('heading', { name: 'Comments' }).boundingBox();
    expect(heading?.y).toBeLessThan(700);
    await expectGood('the activity on a phone');
  });

  test('names the version of a published copy, links to the original, and lists each download once', async () => {
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    const { body } = await server.request
      .post('/api/v1/automation/Document.PublishToSection')
      .send({ input: file.uid, params: { target: section.uid } })
      .expect(200);
    const { page, signIn, open, expectGood } = await visit();
    await signIn();
    await open(`/document/${body.uid}`);
    await page.getByText('This is a published copy of version 0.1.').waitFor();
    await expectGood('the copy');
    await page.getByRole('link', { name: 'Open the original' }).click();
    await page.waitForURL(`**/document/${file.uid}`);
    const downloads = page.locator('.card', { hasText: 'Download as' }).getByRole('link');
    await downloads.first().waitFor();
    const names = await downloads.allTextContents();
    expect(names).toEqual([...new Set(names)]);
    expect(names.join()).not.toMatch(/[a-z][A-Z]/);
  });

  test('refuses a webhook that has a private address, and shows the result of a test message', async () => {
    const { page, signIn, open, expectGood, faults } = await visit();
    await signIn();
    await open('/admin/webhooks');
    const add = async (url: string) => {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('dialog').getByLabel('URL').fill(url);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    await add('http://10.0.0.1/hook');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    faults.length = 0;
    await expectGood('the refusal');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await add('http://127.0.0.1:9/hook');
    const secret = await page.locator('.dialog .code').textContent();
    expect(secret?.length).toBeGreaterThan(16);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: /^Deliveries/ }).click();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByRole('dialog').locator('.bad').first().waitFor({ timeout: 60_000 });
    await expectGood('the deliveries');
  });

  test('places the titles of all screens at the same height, and reports information not as a success', async () => {
    const { page, signIn, open, go } = await visit({ viewport: { width: 1440, height: 800 } });
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    const places: number[] = [];
    for (const screen of [`/browse${folder.path}`, '/search', '/tasks', '/favorites', '/trash']) {
      await go(screen);
      places.push(Math.round((await page.locator('h1').boundingBox())?.y ?? 0));
    }
    expect(Math.max(...places) - Math.min(...places)).toBeLessThanOrEqual(4);
  });
});
