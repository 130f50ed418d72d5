/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('§2.6 The history and the audit log in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;
  let note: DocumentEntity;

  const run = async (operation: string, params: object) =>
    (
      await as(server, 'ann')
        .post(`/api/v1/automation/${operation}`)
        .send({ input: note.uid, params })
        .expect(200)
    ).body;

  beforeAll(async () => {
    await createUser(server, 'ann', ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Minutes' } });
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'Everything' }]);
    const section = await createDocument(server, {
      parent: '/default-domain/sections',
      type: 'Section',
      properties: { 'dc:title': 'Intranet' },
    });
    await setAcl(server, section.path, [{ username: 'ann', permission: 'ReadWrite' }]);
    const text = 'The board meets in May. It pays in thirty days.';
    note = await createDocument(server, {
      parent: folder.path,
      type: 'Note',
      properties: { 'dc:title': 'Board', 'note:note': text },
    });
    const properties = { 'dc:title': 'The board', 'note:note': text.replace('thirty', 'sixty') };
    await as(server, 'ann')
      .put(`/api/v1/id/${note.uid}`)
      .send({ 'entity-type': 'document', properties })
      .expect(200);
    await run('Services.TagDocument', { tags: 'urgent,draft' });
    await run('Services.UntagDocument', { tags: 'draft' });
    await run('Document.SetLifeCycle', { value: 'approve' });
    const { body } = await as(server, 'ann')
      .post('/api/v1/automation/Collection.Create')
      .send({ params: { name: 'For the board' } })
      .expect(200);
    await run('Document.AddToCollection', { collection: body.uid });
    await run('Document.PublishToSection', { target: section.uid });
  });

  test('tell in sentences what was published, tagged, collected and approved, and show each changed word', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn('ann', password);
    await open(`/document/${note.uid}/activity`);
    const sentences = async () =>
      (await page.locator('.timeline-head > span:not(.avatar)').allTextContents()).map((each) =>
        each.replace(/\s+/g, ' '),
      );
    await until(async () => (await sentences()).some((each) => each.includes('Intranet')));
    expect(await sentences()).toEqual([
      'ann published version 0.3 in “Intranet”',
      'ann created version 0.3',
      'ann added this document to the collection “For the board”',
      'ann changed the state to “Approved”',
      'ann removed the tag “draft”',
      'ann added the tags “urgent”, “draft”',
      'ann created version 0.2',
      'ann edited this document',
      'Administrator created version 0.1',
      'Administrator created this document',
    ]);
    const edited = page.locator('.timeline > li', { hasText: 'edited this document' });
    expect(await edited.locator('dt').allTextContents()).toEqual(['Title', 'Text']);
    expect(await edited.locator('del').allTextContents()).toEqual(['Board', 'thirty']);
    expect(await edited.locator('ins').allTextContents()).toEqual(['The board', 'sixty']);
    await expectGood('the history');
    const french = await visit({ locale: 'fr', colorScheme: 'dark' });
    await french.signIn('ann', password);
    await french.open(`/document/${note.uid}/activity`);
    await french.page.getByText('a publié la version 0.3 dans « Intranet »').waitFor();
    await french.page.getByText('a ajouté les étiquettes « urgent », « draft »').waitFor();
    await french.expectGood('the history in French');
  });

  test('the audit log shows the former and the new value of each property, state and tag', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    await signIn();
    await open('/admin/audit');
    const rowOf = (event: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: event, exact: true }) })
        .filter({ hasText: 'The board' })
        .first();
    const modified = rowOf('Modified');
    await modified.locator('dt', { hasText: 'Text' }).waitFor();
    expect(await modified.locator('del').allTextContents()).toEqual(['Board', 'thirty']);
    expect(await modified.locator('ins').allTextContents()).toEqual(['The board', 'sixty']);
    const state = rowOf('State changed');
    expect([await state.locator('del').textContent(), await state.locator('ins').textContent()]).toEqual([
      'Draft',
      'Approved',
    ]);
    expect(await rowOf('Tags changed').locator('del').textContent()).toBe('draft');
    await rowOf('Published in a section').getByRole('link', { name: 'Intranet' }).waitFor();
    await expectGood('the audit log');
  });
});
