/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { settledFiles } from '../support/settled.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('The console with the keyboard alone', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const tagsOf = async (title: string): Promise<string[]> => {
    const { properties } = await server.database.prisma.document.findFirstOrThrow({
      where: { title, isVersion: false },
    });
    const tags = (properties as Record<string, { label: string }[] | undefined>)['nxtag:tags'] ?? [];
    return tags.map(({ label }) => label).sort();
  };

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Reports' } });
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
    for (const title of ['first', 'second', 'third'])
      await createDocument(server, {
        parent: folder.path,
        type: 'Note',
        name: title,
        properties: { 'dc:title': title, 'note:note': 'cobalt' },
      });
    await settledFiles(server);
  });

  test('sorts by a column, and changes its width', async () => {
    const { page, signIn, open } = await visit({ viewport: { width: 1440, height: 800 } });
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('row', { name: 'first' }).focus();
    await page.keyboard.press('ArrowUp');
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[role=columnheader]')?.textContent ?? '');
    for (let press = 0; press < 12 && !(await focused()).startsWith('Modified'); press += 1)
      await page.keyboard.press('ArrowRight');
    const header = page.locator('[role=columnheader]', { hasText: /^Modified$/ });
    const widthOf = async () => Math.round((await header.boundingBox())?.width ?? 0);
    await page.keyboard.press('Enter');
    await until(async () => (await header.getAttribute('aria-sort')) !== 'none');
    const before = await widthOf();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await until(async () => (await widthOf()) < before);
    await until(async () => {
      const { consolePreferences } = await server.database.prisma.user.findUniqueOrThrow({
        where: { id: 'ann' },
      });
      return 'dc:modified' in ((consolePreferences as { widths?: object }).widths ?? {});
    });
  });

  test('tags several documents at once, and undoes only what it has added', async () => {
    await server.request
      .post('/api/v1/automation/Services.TagDocument')
      .send({ input: `${folder.path}/first`, params: { tags: 'urgent' } })
      .expect(200);
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('row', { name: 'first' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Add tags' }).press('Enter');
    await page.getByRole('combobox', { name: 'Tags' }).waitFor();
    await page.keyboard.type('Urgent, to read');
    await expectGood('the dialog');
    await page.keyboard.press('Tab');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await page.getByText('Tagged (3)').waitFor();
    expect(await tagsOf('second')).toEqual(['toread', 'urgent']);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone (3)').waitFor();
    expect([await tagsOf('first'), await tagsOf('second')]).toEqual([['urgent'], []]);
  });

  test('tags all results of a search', async () => {
    const { page, signIn, open } = await visit();
    await signIn();
    await open('/search?words=cobalt');
    await page
      .getByRole('row', { name: /^first/ })
      .locator('.checkbox')
      .click();
    await page.getByRole('button', { name: 'Select all 3 results' }).press('Enter');
    await page.getByRole('button', { name: 'Add tags' }).press('Enter');
    await page.getByRole('combobox', { name: 'Tags' }).fill('all');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
    const panel = page.getByRole('region', { name: 'Add tags' });
    await panel.getByText('3 of 3 processed').waitFor();
    expect(await tagsOf('third')).toEqual(['all']);
    await panel.getByRole('button', { name: 'Undo' }).press('Enter');
    await until(async () => (await tagsOf('third')).length === 0);
  });
});
