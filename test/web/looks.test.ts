/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { runJobs } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { settledFiles } from '../support/settled.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Lists and searches in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  beforeAll(async () => {
    await runJobs(server);
    await createUser(server, 'ann', ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Goods' } });
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
    const content = 'The harbour sells cobalt and timber.';
    await createDocument(server, {
      parent: folder.path,
      name: 'goods.txt',
      properties: { 'dc:title': 'goods.txt', 'file:content': { content, 'mime-type': 'text/plain' } },
    });
    const { uid } = await createDocument(server, {
      parent: folder.path,
      type: 'Note',
      properties: { 'dc:title': 'Cobalt prices', 'note:note': 'cobalt' },
    });
    await server.request
      .post('/api/v1/automation/Services.TagDocument')
      .send({ input: uid, params: { tags: 'prices' } })
      .expect(200);
    await settledFiles(server);
  });

  test('keeps columns, their widths, the height of rows and the width of the tree for the user', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 800 } });
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    const headers = () => page.getByRole('columnheader').allTextContents();
    await until(async () => (await headers()).includes('Modified'));
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.locator('.checkbox', { hasText: 'Created' }).click();
    await dialog.getByRole('button', { name: 'Move up: Created' }).focus();
    for (let press = 0; press < 7; press += 1) await page.keyboard.press('Enter');
    await expectGood('the choice of columns');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await until(async () => String((await headers()).slice(1, 3)) === 'Title,Created');
    await page.getByRole('radio', { name: 'Compact' }).click();
    const splitter = page.getByRole('separator', { name: 'Width of the folder tree' });
    await splitter.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    const width = await splitter.getAttribute('aria-valuenow');
    const created = page.getByRole('columnheader', { name: 'Created' });
    const widthOf = async () => Math.round((await created.boundingBox())?.width ?? 0);
    const before = await widthOf();
    const edge = await created.locator('.column-resizer').boundingBox();
    const [x, y] = [(edge?.x ?? 0) + 4, (edge?.y ?? 0) + 8];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y, { steps: 4 });
    await page.mouse.move(x + 40, y, { steps: 4 });
    await page.mouse.up();
    await until(async () => (await widthOf()) > before);
    const chosen = await widthOf();
    const stored = () =>
      server.database.prisma.user
        .findUniqueOrThrow({ where: { id: 'ann' } })
        .then(({ consolePreferences }) => consolePreferences as Record<string, unknown>);
    await until(async () => 'widths' in (await stored()));
    expect(await stored()).toMatchObject({ view: 'compact', tree: Number(width) });
    await expectGood('the list');

    const again = await visit({ viewport: { width: 1440, height: 800 }, colorScheme: 'dark' });
    await again.signIn('ann', password);
    await again.open(`/browse${folder.path}`);
    await until(async () =>
      String(await again.page.getByRole('columnheader').allTextContents()).startsWith(',Title,Created'),
    );
    const box = await again.page.getByRole('columnheader', { name: 'Created' }).boundingBox();
    expect(Math.abs((box?.width ?? 0) - chosen)).toBeLessThan(3);
    expect(await again.page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true);
    await again.expectGood('the list in another browser');

    const narrow = await visit({ viewport: { width: 400, height: 800 }, locale: 'fr' });
    await narrow.signIn('ann', password);
    await narrow.open(`/browse${folder.path}`);
    await narrow.page.getByRole('link', { name: 'goods.txt' }).waitFor();
    expect(await narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await narrow.expectGood('the list on a phone');
  });

  test('filters a search by type, folder, author and tag, and marks the words in the text of a file', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open('/search?words=cobalt');
    await page.locator('.snippet', { hasText: 'The harbour sells cobalt' }).locator('mark').waitFor();
    const facet = (name: string) => page.getByRole('group', { name, exact: true });
    await facet('Folder').getByText('Goods').waitFor();
    await facet('Tags').getByText('prices').waitFor();
    await facet('Type').locator('.checkbox', { hasText: 'File' }).click();
    await page.getByText('1 result', { exact: true }).waitFor();
    await expectGood('the facets');
    await page.locator('.search-words input').fill('nonexistent');
    await page.getByText('Check the spelling').waitFor();
    await page.getByRole('button', { name: 'Remove filters' }).click();
    await until(async () => !page.url().includes('agg='));
    await expectGood('no results');
  });

  test('suggests documents in the header while the user types, which the arrow keys reach', async () => {
    const { page, signIn, open, expectGood } = await visit({ locale: 'fr' });
    await signIn('ann', password);
    await open('/favorites');
    await page.getByText('Sélectionnez l’étoile').waitFor();
    await page.getByRole('searchbox').fill('cobalt pri');
    const list = page.getByRole('navigation', { name: 'Suggestions' });
    await list.getByRole('link', { name: 'Cobalt prices' }).waitFor();
    await expectGood('the suggestions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cobalt prices' }).waitFor();
    await page.locator('.user-button .avatar[data-initials=A]').waitFor();
  });

  test('undoes a change of all results of a search, in one step', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    for (let index = 0; index < 60; index += 1)
      await createDocument(server, {
        parent: parent.path,
        type: 'Note',
        name: `n${index}`,
        properties: { 'dc:title': `Osprey ${index}`, 'dc:source': `source ${index}` },
      });
    await settledFiles(server);
    const { page, signIn, open } = await visit();
    await signIn();
    await open('/search?words=osprey');
    await page.getByText('60 results').waitFor();
    await page
      .getByRole('row', { name: /^Osprey/ })
      .first()
      .locator('.checkbox')
      .click();
    await page.getByRole('button', { name: 'Select all 60 results' }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
    const panel = page.getByRole('region', { name: 'Move to trash' });
    await panel.getByText('60 of 60 processed').waitFor();
    const trashed = () => server.database.prisma.document.count({ where: { isTrashed: true } });
    expect(await trashed()).toBe(60);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await trashed()) === 0);
    await page.getByText('Undone (60)').waitFor();
  });

  test('lists collections, and shows the members of one in the whole width', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click();
    await page.getByText('No collections yet').waitFor();
    await expectGood('no collections');
    const { body } = await server.request
      .post('/api/v1/automation/Collection.Create')
      .auth('ann', password)
      .send({ params: { name: 'For the board' } })
      .expect(200);
    await open('/collections');
    await page.getByRole('link', { name: 'For the board' }).click();
    await page.getByRole('heading', { name: 'For the board' }).waitFor();
    expect(page.url()).toContain(body.uid);
    await expectGood('a collection');
  });

  test('shows all parts of the console on a page of the documentation', async () => {
    const { page, open, expectGood } = await visit({ colorScheme: 'dark' });
    await open('/docs');
    await page.getByRole('link', { name: 'Parts of the console' }).click();
    await page.getByRole('heading', { name: 'Buttons' }).waitFor();
    await page.getByRole('button', { name: 'With undo' }).click();
    await page.getByText('Moved to the trash (2)').waitFor();
    await page.getByRole('button', { name: 'Dialog' }).click();
    await page.getByRole('dialog', { name: 'A dialog' }).waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await expectGood('the parts');
  });
});
