/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Writing and working together in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const create = (title: string, properties = {}, type = 'Note') =>
    createDocument(server, {
      parent: folder.path,
      type,
      name: title,
      properties: { 'dc:title': title, ...properties },
    });

  const noteOf = async (uid: string): Promise<Record<string, unknown>> => {
    const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200);
    return body.properties;
  };

  const changeAs = (user: string, uid: string, properties: object) =>
    as(server, user).put(`/api/v1/id/${uid}`).send({ 'entity-type': 'document', properties }).expect(200);

  beforeAll(async () => {
    for (const user of ['ann', 'bob']) await createUser(server, user, ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Desk' } });
    await setAcl(server, folder.path, [
      { username: 'ann', permission: 'ReadWrite' },
      { username: 'bob', permission: 'ReadWrite' },
    ]);
  });

  test('formats Markdown in an editor that the page policy allows, and keeps a draft in the browser', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    const { uid } = await create('Agenda', { 'note:mime_type': 'text/markdown', 'note:note': 'first' });
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const editor = page.getByRole('textbox', { name: 'Text' });
    await editor.fill('cobalt');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+b');
    await page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Quote' }).click();
    await until(async () => (await editor.textContent()) === '> **cobalt**');
    const weight = await editor
      .getByText('cobalt')
      .evaluate((element) => Number(getComputedStyle(element).fontWeight));
    expect(weight).toBeGreaterThanOrEqual(700);
    await page.keyboard.press('Control+z');
    await until(async () => (await editor.textContent()) === '**cobalt**');
    // Keys of the console are text here.
    await page.keyboard.press('End');
    await page.keyboard.type(' ?/');
    await until(async () => (await editor.textContent()) === '**cobalt** ?/');
    // After the button has put a sign on an empty line, typed text follows the sign.
    await page.keyboard.press('Enter');
    await page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Heading' }).click();
    await page.keyboard.type('Z');
    await until(async () => (await editor.textContent())?.endsWith('## Z') === true);
    for (let nth = 0; nth < '\n## Z'.length; nth += 1) await page.keyboard.press('Backspace');
    await until(async () => (await editor.textContent()) === '**cobalt** ?/');
    await page.getByText('Draft saved in this browser').waitFor();
    await expectGood('the editor');
    await open('/home');
    await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('link', { name: 'Agenda' }).click();
    await until(async () => (await editor.textContent()) === '**cobalt** ?/');
    await page.getByRole('button', { name: 'Save' }).click();
    // Markdown is shown as HTML, in a frame within the frame.
    await page.frameLocator('iframe').frameLocator('iframe').getByText('cobalt').waitFor();
    expect((await noteOf(uid))['note:note']).toBe('**cobalt** ?/');
    await open('/home');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  });

  test('begins new notes as Markdown, in an editor with buttons for tables and links to documents', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const linked = await create('Hafnium rods');
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Fresh');
    await dialog.getByRole('button', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Note' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const editor = page.getByRole('textbox', { name: 'Text' });
    await editor.fill('hafnium');
    await page.keyboard.press('Control+a');
    const tools = page.getByRole('toolbar', { name: 'Format' });
    await tools.getByRole('button', { name: 'Link to a document' }).click();
    await page.getByRole('option', { name: 'Hafnium rods' }).click();
    await until(async () => (await editor.textContent())?.includes(`/document/${linked.uid})`) === true);
    await tools.getByRole('button', { name: 'Table' }).click();
    await page.keyboard.type('Rod');
    await expectGood('the editor of a new note');
    await page.getByRole('button', { name: 'Save' }).click();
    const shown = page.frameLocator('.preview iframe').frameLocator('iframe');
    await shown.getByRole('link', { name: 'Hafnium rods' }).waitFor();
    expect(await shown.locator('th').allTextContents()).toEqual(['Rod', 'Column']);
    const where = { title: 'Fresh', isVersion: false };
    const { id } = await server.database.prisma.document.findFirstOrThrow({ where });
    expect((await noteOf(id))['note:mime_type']).toBe('text/markdown');
  });

  test('suggests documents for what is typed after [[, and links the chosen one', async () => {
    const { page, signIn, open, expectGood } = await visit({ colorScheme: 'dark' });
    const linked = await create('Ytterbium prices');
    const { uid } = await create('Links', { 'note:mime_type': 'text/markdown' });
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const editor = page.getByRole('textbox', { name: 'Text' });
    await editor.focus();
    await page.keyboard.type('See [[ytter');
    await page.getByRole('option', { name: 'Ytterbium prices' }).waitFor();
    await expectGood('the suggestions');
    await page.keyboard.press('Enter');
    await until(async () => /^See \[Ytterbium prices\]\(http/.test((await editor.textContent()) ?? ''));
    expect(await editor.textContent()).toContain(`/document/${linked.uid})`);
  });

  test('keeps the changes of two users in different fields, and asks if both changed the same one', async () => {
    const { page, signIn, open, expectGood } = await visit({ colorScheme: 'dark' });
    const { uid } = await create('Shared', { 'note:note': 'first', 'dc:source': 'first' });
    await signIn('ann', password);
    await open(`/document/${uid}/edit`);
    const editor = page.getByRole('textbox', { name: 'Text' });
    await editor.fill('by ann');
    await changeAs('bob', uid, { 'dc:source': 'by bob' });
    await page.getByText('bob has changed other fields of this document. Your changes are kept.').waitFor();
    expect(await page.getByLabel('Source').inputValue()).toBe('by bob');
    expect(await editor.textContent()).toBe('by ann');
    await changeAs('bob', uid, { 'note:note': 'by bob' });
    const question = page
      .getByRole('alert')
      .filter({ hasText: 'bob has saved other values since you began: Text' });
    await question.waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await expectGood('the question');
    await question.getByRole('button', { name: 'Keep mine' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.frameLocator('iframe').getByText('by ann').waitFor();
    expect(await noteOf(uid)).toMatchObject({ 'note:note': 'by ann', 'dc:source': 'by bob' });
    await open(`/document/${uid}/edit`);
    await editor.fill('again by ann');
    await changeAs('bob', uid, { 'note:note': 'again by bob' });
    await question.getByRole('button', { name: 'Use those of bob' }).click();
    await until(async () => (await editor.textContent()) === 'again by bob');
  });

  test('shows what others change in a folder and in a document without a reload', async () => {
    const { page, signIn, open, expectGood, faults } = await visit();
    const { uid } = await create('Watched');
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('row', { name: 'Watched' }).waitFor();
    await changeAs('bob', uid, { 'dc:title': 'Renamed by bob' });
    await page.getByRole('row', { name: 'Renamed by bob' }).waitFor();
    await page.getByRole('link', { name: 'Renamed by bob' }).click();
    await page.getByRole('heading', { name: 'Renamed by bob' }).waitFor();
    await as(server, 'bob').post('/api/v1/automation/Document.Lock').send({ input: uid }).expect(200);
    await page.getByText('Locked by bob').waitFor();
    await expectGood('the locked document');
    expect(faults).toEqual([]);
  });

  test('begins with tasks, recent documents, the inbox, shared documents and favorites', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { uid } = await create('Followed');
    const below = await create('A folder', {}, 'Folder');
    await signIn('ann', password);
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    await card('My tasks').getByText('No tasks').waitFor();
    await card('Shared with me').getByRole('link', { name: 'Desk' }).waitFor();
    const menus = [
      [`/document/${uid}`, 'Actions'],
      [`/browse${below.path}`, 'More actions'],
    ] as const;
    for (const [address, menu] of menus) {
      await open(address);
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Follow', exact: true }).click();
      await page.getByText('You follow this document.').first().waitFor();
    }
    await open(`/document/${below.uid}`);
    await page.getByRole('button', { name: 'Favorite' }).click();
    await page.getByText('Added to favorites').waitFor();
    await changeAs('bob', uid, { 'dc:description': 'by bob' });
    const inside = await createDocument(server, {
      parent: below.path,
      type: 'Note',
      properties: { 'dc:title': 'Inside' },
    });
    await changeAs('bob', inside.uid, { 'dc:description': 'by bob' });
    await until(async () => {
      const { consolePreferences } = await server.database.prisma.user.findUniqueOrThrow({
        where: { id: 'ann' },
      });
      const { recent = [] } = consolePreferences as { recent?: string[] };
      return recent.includes(uid) && recent.includes(below.uid);
    });
    await open('/home');
    await card('Recently opened').getByRole('link', { name: 'Followed' }).waitFor();
    await card('Favorites').getByRole('link', { name: 'A folder' }).waitFor();
    const changes = card('Inbox').getByRole('listitem');
    await changes
      .filter({ hasText: /bob\s*Followed/ })
      .getByText('New')
      .waitFor();
    await changes
      .filter({ hasText: /bob\s*Inside/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: /Inbox \d+ unread entries/ }).waitFor();
    await expectGood('the home screen');
    await card('Inbox').getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    const narrow = await visit({ viewport: { width: 400, height: 800 }, locale: 'fr', colorScheme: 'dark' });
    await narrow.signIn('ann', password);
    await narrow.page
      .getByRole('region', { name: 'Boîte de réception' })
      .getByRole('listitem')
      .first()
      .waitFor();
    expect(await narrow.page.getByText('Nouveau', { exact: true }).count()).toBe(0);
    expect(await narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await narrow.page.locator('.user-button .avatar').click();
    await narrow.page.getByRole('menuitem', { name: 'Se déconnecter' }).waitFor();
    await narrow.expectGood('the home screen on a phone');
  });

  test('lists the tasks next to the chosen one, with its document and the decision', async () => {
    for (const title of ['First offer', 'Second offer']) {
      const { uid } = await create(title, { 'note:note': `text of ${title}` });
      const { body } = await as(server, 'bob')
        .post(`/api/v1/id/${uid}/@workflow`)
        .send({ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' })
        .expect(201);
      const tasks = await as(server, 'bob')
        .get('/api/v1/task')
        .query({ workflowInstanceId: body.id })
        .expect(200);
      await as(server, 'bob')
        .put(`/api/v1/task/${tasks.body.entries[0].id}/start_review`)
        .send({
          'entity-type': 'task',
          id: tasks.body.entries[0].id,
          variables: { participants: ['user:ann'] },
        })
        .expect(200);
    }
    const { page, signIn, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    await signIn('ann', password);
    await page
      .getByRole('region', { name: 'My tasks' })
      .getByRole('link', { name: /Second offer/ })
      .click();
    const list = page.getByRole('navigation', { name: 'Open tasks' });
    expect(await list.locator('[aria-current]').textContent()).toContain('Second offer');
    await page.frameLocator('iframe').getByText('text of Second offer').waitFor();
    await expectGood('the tasks');
    await list.getByRole('link', { name: /First offer/ }).click();
    await page.frameLocator('iframe').getByText('text of First offer').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await list.getByRole('link', { name: /First offer/ }).waitFor({ state: 'detached' });
    await page.frameLocator('iframe').getByText('text of Second offer').waitFor();
  });
});
