/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const contribution = {
  schemas: [{ name: 'invoice', prefix: 'inv', fields: { number: 'string', note: 'string' } } as const],
  types: [{ name: 'Invoice', parent: 'File', schemas: ['invoice'] }],
};

(chromiumPath ? describe : describe.skip)('The content model in the console', () => {
  const server = useServer({}, contribution);
  const visit = useBrowser(server);

  beforeAll(async () => {
    for (const note of ['one', 'two'])
      await createDocument(server, { type: 'Invoice', properties: { 'inv:note': note } });
    // A search waits until the index contains the documents.
    await server.request.get('/api/v1/search/execute').query({ query: 'SELECT * FROM Document' }).expect(200);
  });

  test('says how many documents use each part, and shows the form of a type', async () => {
    const { page, signIn, open, expectGood } = await visit();
    await signIn();
    await open('/admin/model');
    await page.getByRole('button', { name: /^Invoice 2 documents/ }).click();
    await page.getByRole('button', { name: /^invoice 2 fields · 2 documents/ }).waitFor();
    await page.getByRole('button', { name: 'Preview the form' }).click();
    const dialog = page.getByRole('dialog', { name: 'Form for Invoice' });
    await dialog.getByRole('textbox', { name: /Title/ }).fill('tried out');
    expect(await dialog.getByRole('textbox', { name: /number/i }).count()).toBe(1);
    await expectGood('the form');
  });

  test('saves a file of the model', async () => {
    const { page, signIn, open } = await visit();
    await signIn();
    await open('/admin/model');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download test.json' }).click();
    expect((await saved).suggestedFilename()).toBe('test.json');
  });

  test('says what a changed file would change, and what is wrong with one that is faulty', async () => {
    const { page, signIn, open, expectGood } = await visit({
      viewport: { width: 400, height: 800 },
      colorScheme: 'dark',
    });
    await signIn();
    await open('/admin/model');
    const check = page.getByRole('region', { name: 'Check a changed file' });
    await check.getByLabel('File name').fill('test.json');
    const without = {
      ...contribution,
      schemas: [{ ...contribution.schemas[0], fields: { number: 'long' } }],
    };
    await check.getByLabel('Text of the file').fill(JSON.stringify(without, null, 2));
    await check.getByRole('button', { name: 'Check', exact: true }).click();
    const row = (name: string) => check.getByRole('row', { name: new RegExp(`^${name}`) });
    await row('inv:note').waitFor();
    expect(await row('inv:note').textContent()).toContain('2 documents have values.');
    expect(await row('inv:number').textContent()).toContain('type: string → long');
    expect(await row('inv:number').textContent()).toContain('No documents are affected.');
    await expectGood('the changes');
    await check
      .getByLabel('Text of the file')
      .fill('{\n  "types": [{"name": "Invoice", "parent": "Fil"}]\n}');
    await check.getByRole('button', { name: 'Check', exact: true }).click();
    await check.getByText('The server would not start with this file').waitFor();
    expect(await check.getByRole('row').nth(1).textContent()).toContain('test.json:2');
    await expectGood('the faults');
  });
});
