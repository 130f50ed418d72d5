/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Menus, keys and commands in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const create = (parent: string, type: string, title: string, properties = {}) =>
    createDocument(server, { parent, type, name: title, properties: { 'dc:title': title, ...properties } });

  /** Creates a folder with notes, and returns it. */
  const folderWith = async (name: string, ...titles: string[]): Promise<DocumentEntity> => {
    const created = await create(folder.path, 'Folder', name);
    for (const title of titles)
      await create(created.path, 'Note', title, { 'note:note': `text of ${title}` });
    return created;
  };

  const childrenOf = async (path: string): Promise<string[]> => {
    const { body } = await server.request.get(`/api/v1/path${path}/@children`).expect(200);
    return body.entries.map(({ title }: { title: string }) => title).toSorted();
  };

  const row = (page: Page, name: string) => page.getByRole('grid').getByRole('row', { name, exact: true });

  /** Focuses a row, as a user does with the arrow keys. */
  const focusRow = (page: Page, name: string) => row(page, name).focus();

  const menuOf = (page: Page) => page.getByRole('menu', { name: 'Actions' });

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    await createUser(server, 'bob', ['members']);
    await server.database.prisma.user.update({
      where: { id: 'bob' },
      data: { properties: { firstName: 'Robert', lastName: 'Baker' } },
    });
    folder = await create('/default-domain/workspaces', 'Workspace', 'Hands');
    await setAcl(server, folder.path, [
      { username: 'ann', permission: 'ReadWrite' },
      { username: 'bob', permission: 'ReadWrite' },
    ]);
  });

  test('offers the same actions in the menu of a row, on a right click and on the page of the document', async () => {
    const height = 700;
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1280, height } });
    const { path } = await folderWith('Menus', 'One', 'Two');
    await signIn('ann', password);
    await open(`/browse${path}`);
    const entries = () => menuOf(page).getByRole('menuitem').allInnerTexts();
    await row(page, 'One').hover();
    await page.getByRole('button', { name: 'Actions for One' }).click();
    await menuOf(page).waitFor();
    const inMenu = await entries();
    expect(inMenu.join()).toMatch(
      /Open.*Quick look.*Rename.*Move.*Cut.*Follow.*Lock.*Approve.*Move to trash/su,
    );
    const menu = await page.locator('.action-menu').evaluate((element) => ({
      bottom: element.getBoundingClientRect().bottom,
      hidden: element.scrollHeight - element.clientHeight,
    }));
    expect(menu.bottom).toBeLessThan(height);
    expect(menu.hidden).toBe(0); // The menu fits into the window, but not below the row.
    await expectGood('the menu of a row');
    await page.keyboard.press('Escape');
    await menuOf(page).waitFor({ state: 'detached' });
    await row(page, 'One').click({ button: 'right' });
    expect(await entries()).toEqual(inMenu);
    await menuOf(page).getByRole('menuitem', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'One' }).waitFor();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    const onPage = await entries();
    expect(onPage).toEqual(inMenu.filter((entry) => onPage.includes(entry)));
    await menuOf(page).getByRole('menuitem', { name: 'Lock' }).click();
    await page.getByText('Locked by ann').waitFor();
    await expectGood('the page');
  });

  test('offers to restore a document on its page in the trash, but not to edit it', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await folderWith('Thrown away', 'Draft');
    const { body } = await server.request.get(`/api/v1/path${path}/Draft`).expect(200);
    await signIn('ann', password);
    await open(`/document/${body.uid}`);
    const edit = page.getByRole('link', { name: 'Edit' });
    await edit.waitFor();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await menuOf(page).getByRole('menuitem', { name: 'Move to trash' }).click();
    const restore = page.getByRole('main').getByRole('button', { name: 'Restore' });
    await restore.waitFor();
    await page.getByText(`${path}/Draft`, { exact: true }).waitFor();
    expect(await edit.count()).toBe(0);
    await expectGood('the page in the trash');
    await open(`/document/${body.uid}/edit`);
    await restore.click();
    await edit.waitFor();
    expect(await childrenOf(path)).toEqual(['Draft']);
  });

  test('says who has locked a document, and since when, at each action that the lock prevents', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await folderWith('Locks', 'Taken');
    await as(server, 'bob')
      .post('/api/v1/automation/Document.Lock')
      .send({ input: `${path}/Taken` })
      .expect(200);
    await signIn('ann', password);
    await open(`/browse${path}`);
    await page.getByRole('row', { name: 'Taken' }).click({ button: 'right' });
    const move = menuOf(page).getByRole('menuitem', { name: /^Move Locked/ });
    await move.waitFor();
    expect(await move.textContent()).toMatch(
      /Locked by Robert Baker since .*\d:\d\d\s[AP]M\. Ask Robert Baker to unlock it\./u,
    );
    await expectGood('the reasons');
    await menuOf(page)
      .getByRole('menuitem', { name: 'Unlock' })
      .getByText('Only Robert Baker and administrators can unlock it.')
      .waitFor();
    await move.click();
    await page.locator('.notice').getByText('Locked by Robert Baker since').waitFor();
    expect(await page.getByRole('dialog', { name: 'Move' }).count()).toBe(0);
  });

  test('renames in place with F2, trashes with Delete, and undoes both with Ctrl+Z', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await folderWith('Keys', 'alpha.txt', 'beta.txt');
    await signIn('ann', password);
    await open(`/browse${path}`);
    await focusRow(page, 'alpha.txt');
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Title' });
    await field.waitFor();
    await page.keyboard.type('gamma'); // replaces the name, but not the extension
    expect(await field.inputValue()).toBe('gamma.txt');
    await expectGood('the field in the row');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await childrenOf(path)).toEqual(['alpha.txt', 'beta.txt']);
    await page.keyboard.press('F2');
    await page.keyboard.type('gamma');
    await page.keyboard.press('Enter');
    await row(page, 'gamma.txt').waitFor();
    await page.getByText('Renamed').waitFor();
    await focusRow(page, 'beta.txt');
    await page.keyboard.press('Delete');
    await row(page, 'beta.txt').waitFor({ state: 'detached' });
    await page.getByText('Moved to trash').waitFor();
    await page.keyboard.press('Control+z');
    await row(page, 'beta.txt').waitFor();
    await page.keyboard.press('Control+z');
    await row(page, 'alpha.txt').waitFor();
    await page.getByText('Undone').last().waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('There is nothing to undo.').waitFor();
  });

  test('renames from the menu of a row, in the field that has the focus', async () => {
    const { page, signIn, open } = await visit();
    const { path } = await folderWith('Names', 'Delta', 'Other');
    await signIn('ann', password);
    await open(`/browse${path}`);
    await row(page, 'Delta').hover();
    await page.getByRole('button', { name: 'Actions for Delta' }).click();
    await menuOf(page).getByRole('menuitem', { name: 'Rename' }).click();
    await menuOf(page).waitFor({ state: 'detached' });
    const field = page.getByRole('textbox', { name: 'Title' });
    await until(() => field.evaluate((element) => element === document.activeElement));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('tagged');
    await page.keyboard.press('Enter');
    await row(page, 'tagged').waitFor();
    expect(await page.getByRole('grid').locator('[role=row][aria-selected=true]').count()).toBe(0);
    expect(await childrenOf(path)).toEqual(['Other', 'tagged']);
  });

  test('selects from the focused row with Shift, opens a row with Enter, and keeps what is cut', async () => {
    const { page, signIn, open } = await visit();
    const { path } = await folderWith('Ranges', 'A', 'B', 'C');
    await create(path, 'Folder', 'Z');
    await signIn('ann', password);
    await open(`/browse${path}?sort=dc:title&order=ascending`);
    await focusRow(page, 'A');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    for (const name of ['A', 'B']) expect(await row(page, name).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Control+x');
    await page.getByText('2 documents cut.').waitFor();
    await page.keyboard.press('Control+v');
    await focusRow(page, 'Z');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Z' }).waitFor();
    await page.keyboard.press('Control+v');
    await row(page, 'B').waitFor();
    expect(await childrenOf(`${path}/Z`)).toEqual(['A', 'B']);
  });

  test('shows documents with Space and moves on with the arrow keys', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { path } = await folderWith('Looks', 'First', 'Second');
    await signIn('ann', password);
    await open(`/browse${path}`);
    await focusRow(page, 'First');
    await page.keyboard.press('Space');
    const dialog = (name: string) => page.getByRole('dialog', { name });
    await dialog('First').frameLocator('iframe').getByText('text of First').waitFor();
    await expectGood('the quick look');
    await page.keyboard.press('ArrowDown');
    await dialog('Second').frameLocator('iframe').getByText('text of Second').waitFor();
    await page.keyboard.press('Space');
    await dialog('Second').waitFor({ state: 'detached' });
    expect(await page.getByRole('grid').locator('[role=row][aria-selected=true]').count()).toBe(0);
    await focusRow(page, 'Second');
    await page.keyboard.press('Control+Space');
    await page.getByText('1 selected').waitFor();
  });

  test('cuts, copies and pastes documents with the keyboard', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const from = await folderWith('From', 'Copied', 'Moved', 'Stays');
    const to = await folderWith('To');
    await signIn('ann', password);
    await open(`/browse${from.path}`);
    await focusRow(page, 'Copied');
    await page.keyboard.press('Control+c');
    await page.getByText('1 document copied. Open a folder and press Ctrl+V to paste it there.').waitFor();
    await page.getByRole('link', { name: 'Hands' }).click();
    await page.getByRole('link', { name: 'To', exact: true }).click();
    await page.getByRole('heading', { name: 'To' }).waitFor();
    await page.getByText('This folder is empty.').waitFor();
    await page.keyboard.press('Control+v');
    await row(page, 'Copied').waitFor();
    await open(`/browse${from.path}`);
    for (const name of ['Moved', 'Copied']) await row(page, name).locator('.checkbox').click();
    await focusRow(page, 'Moved');
    await page.keyboard.press('Control+x');
    await page.getByText('2 documents cut.').waitFor();
    await page.getByRole('link', { name: 'Hands' }).click();
    await row(page, 'To').click({ button: 'right' });
    await expectGood('the menu of a folder');
    await menuOf(page).getByRole('menuitem', { name: 'Paste' }).click();
    await page.getByText('Moved (2)').waitFor();
    expect(await childrenOf(from.path)).toEqual(['Stays']);
    await page.keyboard.press('Control+z');
    await until(async () => (await childrenOf(from.path)).length === 3);
    expect(await childrenOf(to.path)).toEqual(['Copied']);
  });

  test('finds documents, people, screens and actions with Ctrl+K', async () => {
    const { page, signIn, open, expectGood } = await visit({ colorScheme: 'dark' });
    const { path } = await folderWith('Palette', 'Tellurium contract');
    await signIn();
    await open(`/browse${path}`);
    const choose = async (typed: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).waitFor();
      await page.keyboard.type(typed);
      const option = page.getByRole('option', { name }).first();
      await option.waitFor();
      return option;
    };
    await focusRow(page, 'Tellurium contract');
    await (await choose('ren', 'Rename')).waitFor();
    await expectGood('the palette');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    await page.keyboard.press('Escape');
    await (await choose('bob', /^Robert Baker/)).click();
    await page.getByRole('heading', { name: 'Robert Baker' }).waitFor();
    await (await choose('tellu', 'Tellurium contract')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tellurium contract' }).waitFor();
    await (await choose('settings', 'Security')).waitFor();
    await page.keyboard.press('Escape');
    await (await choose('audit', 'Audit log')).click();
    await until(async () => page.url().endsWith('/admin/audit'));
    // What is typed while the palette is being loaded becomes its text, and runs no actions.
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    let pressed: Promise<void> | undefined;
    await page.route(/\/palette-[^/]*\.js$/, async (route) => {
      await pressed; // The first letter would be typed with Ctrl otherwise.
      await page.keyboard.type('nothing like it');
      await route.continue();
    });
    pressed = page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Search for “nothing like it”' }).click();
    await until(async () => page.url().includes('words=nothing'));
  });

  test('leads from a person to the documents that the person has changed, for users who are not administrators', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    await createUser(server, 'zoe');
    const { path } = await folderWith('People', 'Changed by bob', 'Not changed');
    await as(server, 'bob')
      .put(`/api/v1/path${path}/Changed by bob`)
      .send({ 'entity-type': 'document', properties: { 'dc:description': 'new' } })
      .expect(200);
    await signIn('ann', password);
    await open(`/browse${path}`);
    await page.getByRole('row', { name: 'Changed by bob' }).getByTitle('Robert Baker (bob)').waitFor();
    const choose = async (typed: string, name: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Commands' }).locator('input').fill(typed);
      await page.getByRole('option', { name }).click();
    };
    await choose('baker', /^Robert Baker/);
    await page.getByText('By Robert Baker').waitFor();
    await row(page, 'Changed by bob').waitFor();
    expect(await row(page, 'Not changed').count()).toBe(0);
    await expectGood('the documents of a person');
    await choose('zoe', /^zoe/);
    await page.getByText('No documents by zoe that you can read').waitFor();
    await page.getByRole('button', { name: 'Remove filters' }).click();
    await page.getByText('By zoe').waitFor({ state: 'detached' });
  });

  test('lists the keys with ?, and moves to the search with /', async () => {
    const { page, signIn, open, expectGood } = await visit({
      locale: 'fr',
      viewport: { width: 400, height: 800 },
    });
    await signIn('ann', password);
    await open('/tasks');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Raccourcis clavier' }).getByText('Suppr').waitFor();
    await expectGood('the keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await until(() => page.evaluate(() => document.activeElement?.matches('.find input') ?? false));
    await page.keyboard.type('?/');
    expect(await page.locator('.find input').inputValue()).toBe('?/');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });

  test('shows an administrator the console as another user sees it, without changing anything', async () => {
    const { page, signIn, open, expectGood, faults } = await visit();
    const { path } = await folderWith('Views', 'Visible');
    const hidden = await create(path, 'Note', 'Hidden');
    await setAcl(server, hidden.path, [{ username: 'ann', permission: 'Everything', granted: false }]);
    await signIn();
    await open('/admin/users/ann');
    await page.getByRole('button', { name: 'View as this user' }).click();
    const bar = page.getByRole('region', { name: 'View as' });
    await bar.getByText('You see the console as ann does.').waitFor();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await open(`/browse${path}`);
    await row(page, 'Visible').waitFor();
    expect(await row(page, 'Hidden').count()).toBe(0);
    await expectGood("another user's view");
    await focusRow(page, 'Visible');
    await page.keyboard.press('Delete');
    await page.getByText('Nothing can be changed while you view as ann.').waitFor();
    expect(faults.splice(0).join()).toContain('403');
    expect(await childrenOf(path)).toEqual(['Hidden', 'Visible']);
    await bar.getByRole('button', { name: 'End' }).click();
    await page.getByRole('link', { name: 'Administration' }).waitFor();
    expect(await bar.count()).toBe(0);
  });
});
