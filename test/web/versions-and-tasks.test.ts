/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Versions and tasks in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let folder: DocumentEntity;

  const lines = (first: string, last: string) =>
    [first, ...Array.from({ length: 12 }, (_, index) => `Line ${index}.`), last].join('\n');

  beforeAll(async () => {
    for (const name of ['ann', 'bob']) await createUser(server, name, ['members']);
    folder = await createDocument(server, { type: 'Workspace', properties: { 'dc:title': 'Reviews' } });
    await setAcl(server, folder.path, [
      { username: 'ann', permission: 'Everything' },
      { username: 'bob', permission: 'Read' },
    ]);
  });

  test('names the versions that an increment makes, and compares any two of them by word', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { uid } = await createDocument(server, {
      parent: folder.path,
      type: 'File',
      properties: { 'dc:title': 'A contract', 'dc:description': lines('Pay in thirty days.', 'The end.') },
    });
    await signIn('ann', password);
    await open(`/document/${uid}/versions`);
    const makeVersion = async (kind: RegExp, comment: string) => {
      await page.getByRole('button', { name: 'New version' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Version number/ })
        .click();
      const option = page.getByRole('option', { name: kind });
      const label = await option.textContent();
      await option.click();
      await page.getByRole('dialog').getByLabel('Comment').fill(comment);
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText(comment, { exact: true }).waitFor();
      return label;
    };
    const change = (description: string) =>
      as(server, 'ann')
        .put(`/api/v1/id/${uid}`)
        .send({ 'entity-type': 'document', properties: { 'dc:description': description } })
        .expect(200);
    expect(await makeVersion(/^Minor/, 'as received')).toBe('Minor: 0.1');
    await change(lines('Pay in sixty days.', 'The very end.'));
    await open(`/document/${uid}/versions`);
    expect(await makeVersion(/^Major/, 'as agreed')).toBe('Major: 1.0');
    const first = page.locator('.timeline li').first();
    expect(await first.locator('.timeline-head').textContent()).toMatch(/^Version 1\.0ann/);
    expect(await first.locator('del').allInnerTexts()).toEqual(['thirty']);
    expect(await first.locator('ins').allInnerTexts()).toEqual(['sixty', 'very ']);
    const shown = await first.locator('dd').textContent();
    expect(shown).toContain('Line 0.');
    expect(shown).not.toContain('Line 5.');
    await expectGood('the versions');
    await change(lines('Pay in ninety days.', 'The very end.'));
    await open(`/document/${uid}/versions`);
    const comparison = page.getByRole('region', { name: 'Compare versions' });
    const choose = async (which: RegExp, label: string) => {
      await comparison.getByRole('button', { name: which }).click();
      await page.getByRole('option', { name: label }).click();
    };
    await choose(/From/, 'Version 0.1');
    await choose(/To/, 'Current document');
    expect(await comparison.locator('del').allInnerTexts()).toEqual(['thirty']);
    expect(await comparison.locator('ins').allInnerTexts()).toEqual(['ninety', 'very ']);
    await expectGood('the comparison');
  });

  test('shows the opinions on the card of a decision and in the history, and asks before a rejection', async () => {
    const { page, signIn, open, expectGood } = await visit();
    const { uid } = await createDocument(server, {
      parent: folder.path,
      type: 'File',
      properties: { 'dc:title': 'An offer' },
    });
    await signIn('ann', password);
    await open(`/document/${uid}/workflows`);
    await page.getByRole('button', { name: 'Start Parallel review' }).click();
    const buttons = page.locator('.task .actions button');
    await buttons.first().waitFor();
    expect(await buttons.allInnerTexts()).toEqual(['Start review', 'Cancel review']);
    await page.locator('.task .required').first().waitFor();
    expect(await page.locator('.task .required').count()).toBe(1);
    await page.getByRole('button', { name: 'Add: Participants' }).click();
    await page.getByRole('combobox', { name: /Participants 1/ }).fill('bob');
    await page.getByRole('option', { name: 'bob' }).click();
    const option = page.getByRole('option').first();
    // The list closes if the panel scrolls, as it does while its content is being loaded.
    await until(async () => {
      await page.getByRole('button', { name: /Type of review/ }).click();
      return option.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
    await option.click();
    await page.getByRole('button', { name: 'Start review' }).click();
    await page.getByRole('heading', { name: 'Give your opinion' }).waitFor();
    const { body } = await as(server, 'bob').get('/api/v1/task').query({ userId: 'bob' }).expect(200);
    const answer = { 'entity-type': 'task', id: body.entries[0].id, comment: 'The price is wrong.' };
    await as(server, 'bob').put(`/api/v1/task/${answer.id}/reject`).send(answer).expect(200);
    await open('/tasks');
    const opinions = page.getByRole('region', { name: 'Opinions' });
    await opinions.getByText('The price is wrong.').waitFor();
    expect(await opinions.getByRole('listitem').textContent()).toMatch(/^\s*bob rejected/);
    await page.getByRole('button', { name: 'Show earlier steps' }).click();
    await page.getByText('ann started the review').waitFor();
    await expectGood('the task');
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject' });
    await dialog.getByText('Reject “An offer”?').waitFor();
    await dialog.getByLabel('Comment').fill('Ask again.');
    await expectGood('the question');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No tasks').waitFor();
    await open(`/document/${uid}/activity`);
    await page.getByText('Ask again.').waitFor();
    const said = (await page.locator('.timeline-head > span:not(.avatar)').allInnerTexts()).slice(0, 5);
    expect(said).toEqual(expect.arrayContaining(['ann rejected', 'bob rejected', 'ann started the review']));
    expect(said.join()).not.toContain('who has access');
    await expectGood('the history');
  });
});
