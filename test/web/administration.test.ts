/** @group slow */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { runJobs } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

(chromiumPath ? describe : describe.skip)('The administration in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);

  test('helps an administrator to set up a new server, until there is a workspace', async () => {
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 1440, height: 900 } });
    await signIn();
    const setup = page.getByRole('region', { name: 'Set up this server' });
    await setup.getByRole('button', { name: 'Change password' }).click();
    await page
      .getByRole('dialog', { name: 'Change password' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await expectGood('the first steps');
    await setup.getByRole('button', { name: 'Create a sample workspace' }).click();
    await page.getByRole('heading', { name: 'Sample workspace' }).waitFor();
    await page.getByRole('row', { name: 'Start here' }).waitFor();
    await open('/home');
    await setup.getByRole('button', { name: 'Remove the sample workspace' }).click();
    await expectGood('the question');
    await page
      .getByRole('dialog', { name: 'Remove the sample workspace' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await setup.getByRole('button', { name: 'Create a sample workspace' }).waitFor();
    await server.request.get('/api/v1/path/default-domain/workspaces/Sample workspace').expect(404);
    await setup.getByLabel('Name of the workspace').fill('Accounting');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounting' }).waitFor();
    await open('/home');
    await page.getByRole('region', { name: 'My tasks' }).getByText('No tasks').waitFor();
    expect(await setup.count()).toBe(0);
    await server.request.delete('/api/v1/path/default-domain/workspaces/Accounting').expect(204);
  });

  test('shows a vocabulary as a tree, exports it as CSV and imports changed and new entries', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn();
    await open('/admin/vocabularies');
    await page.getByRole('button', { name: /Vocabulary/ }).click();
    await page.getByRole('option', { name: 'country', exact: true }).click();
    await page.getByRole('button', { name: 'Show as a tree' }).click();
    const tree = page.getByRole('treegrid', { name: 'country' });
    await tree.getByRole('row', { name: 'Europe' }).press('ArrowRight');
    await tree.getByRole('row', { name: 'France' }).waitFor();
    await expectGood('the tree');
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe('country.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]?.split(',').slice(0, 2)).toEqual(['id', 'label']);
    const france = lines.find((line) => line.startsWith('France,')) ?? '';
    const header = lines[0] ?? '';
    const changed = france.replace(/,[^,]*$/, ',7');
    const added = france.replace('France', '=Utopia').replace(/label[^,]*/, '"An island, far away"');
    const file = join(newFolder(), 'country.csv');
    await writeFile(file, [header, changed, added].join('\n'));
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import CSV' }).click();
      await (await chooser).setFiles(file);
    };
    await choose();
    const dialog = page.getByRole('dialog', { name: 'Import CSV' });
    await dialog.getByText('1 new entries, 1 changed, 0 unchanged.').waitFor();
    await expectGood('the question');
    await dialog.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByText('2 entries imported').waitFor();
    const { body } = await server.request.get('/api/v1/directory/country/%3DUtopia').expect(200);
    expect(body.properties).toMatchObject({ label: 'An island, far away', parent: 'europe' });
    await choose();
    await dialog.getByText('0 new entries, 0 changed, 2 unchanged.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Import CSV' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await writeFile(file, 'label\nwithout an id\n');
    await choose();
    await page.getByText('Line 2: the column “id” is missing or empty.').waitFor();
  });

  test('finds types, schemas and facets by the names of fields, with the documents that use them', async () => {
    await createDocument(server, { type: 'Note' });
    const { page, signIn, open, expectGood } = await visit({ locale: 'fr', colorScheme: 'dark' });
    await signIn();
    await open('/admin/model');
    await page.getByRole('searchbox', { name: 'Trouver des types' }).fill('note');
    await page.getByRole('region', { name: 'Types' }).getByRole('button', { name: /^Note/ }).click();
    const documents = page.getByRole('link', { name: '1 document' });
    await documents.waitFor();
    await page.getByRole('region', { name: 'Schémas' }).getByRole('button', { name: /^note/ }).click();
    await page.getByText(/^Types\s*: .*Note/).waitFor();
    await expectGood('the model');
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Télécharger en JSON' }).click();
    const { docTypes } = JSON.parse(await readFile(await (await started).path(), 'utf8'));
    expect(docTypes.entries.map(({ name }: { name: string }) => name)).toContain('Note');
    await documents.click();
    await page.getByText('1 résultat', { exact: true }).waitFor();
  });

  test('keeps the filters of the audit log in the address, and saves them under a name', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn();
    await open('/admin/audit');
    await page.getByRole('combobox', { name: 'Event' }).fill('as a copy');
    await page.getByRole('option', { name: 'Created as a copy' }).click();
    await until(async () => page.url().includes('event=documentCreatedByCopy'));
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('New documents');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const saved = page.getByRole('list', { name: 'Saved filters' });
    await saved.getByRole('link', { name: 'New documents' }).waitFor();
    await expectGood('the saved filter');
    await until(async () => {
      const user = await server.database.prisma.user.findUniqueOrThrow({ where: { id: 'Administrator' } });
      return 'auditFilters' in (user.consolePreferences as object);
    });
    await open('/admin/audit');
    await saved.getByRole('link', { name: 'New documents' }).click();
    await until(async () => page.url().endsWith('event=documentCreatedByCopy'));
    await saved.getByRole('button', { name: 'Remove: New documents' }).click();
    expect(await saved.getByRole('link').count()).toBe(0);
  });

  test('shows the size of files by workspace and type, and the files that several documents contain', async () => {
    const { uid, path } = await createDocument(server, {
      type: 'Workspace',
      properties: { 'dc:title': 'Archive' },
    });
    const store = (content: string, title: string) =>
      createDocument(server, {
        parent: path,
        type: 'File',
        properties: { 'dc:title': title, 'file:content': { content, name: title } },
      });
    await store('x'.repeat(4_000), 'first.txt');
    await store('x'.repeat(4_000), 'second.txt');
    await store('y'.repeat(1_000), 'third.txt');
    const { page, signIn, open, expectGood } = await visit({ colorScheme: 'dark' });
    await signIn();
    await open('/admin/storage');
    await page.getByText('The files have not been counted yet.').waitFor();
    await expectGood('the storage before the first count');
    const stop = await runJobs(server);
    await page.getByRole('button', { name: 'Count again' }).click();
    const row = page.getByRole('table', { name: 'By workspace' }).getByRole('row', { name: /^Archive/ });
    await row.waitFor();
    await stop();
    await page.getByText('Counted:').waitFor();
    expect(await row.locator('td').allTextContents()).toEqual(['2', '5 kB', '']);
    expect(await row.getByRole('link').getAttribute('href')).toContain(uid);
    const duplicate = page.getByRole('table', { name: 'Files in several documents' }).getByRole('row').nth(1);
    await duplicate.getByRole('link', { name: 'second.txt' }).waitFor();
    expect(await duplicate.getByRole('link').count()).toBe(2);
    await expectGood('the storage');
    await duplicate.getByRole('link', { name: 'second.txt' }).click();
    await page.getByRole('heading', { name: 'second.txt' }).waitFor();
  });
});
