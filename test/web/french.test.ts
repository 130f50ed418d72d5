/** @group slow */
import { describe, expect, test } from '@jest/globals';
import type { SchemaDefinition } from '../../src/model/definitions.ts';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { createUser, password } from '../support/users.ts';

const priced = { price: 'double', pages: 'long' } satisfies SchemaDefinition['fields'];

(chromiumPath ? describe : describe.skip)('The console in French', () => {
  const server = useServer(
    {},
    {
      schemas: [{ name: 'priced', prefix: 'pr', fields: priced }],
      facets: [{ name: 'Priced', schemas: ['priced'] }],
      types: [{ name: 'Priced', parent: 'Note', facets: ['Priced'] }],
    },
  );
  const visit = useBrowser(server);

  test('reads and shows decimal numbers with a comma in any browser', async () => {
    const { page, open, go, expectGood } = await visit({ locale: 'fr-FR', timezoneId: 'Europe/Paris' });
    await createUser(server, 'edith', ['members']);
    const folder = await createDocument(server, { type: 'Workspace' });
    const { uid } = await createDocument(server, {
      parent: folder.path,
      type: 'Priced',
      properties: { 'dc:title': 'Livre', 'pr:price': 3.25 },
    });
    await setAcl(server, folder.path, [{ username: 'edith', permission: 'ReadWrite' }]);
    await open('/');
    await page.getByLabel('Nom d’utilisateur').fill('edith');
    await page.getByLabel('Mot de passe').fill(password);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByRole('navigation').first().waitFor();
    await go(`/document/${uid}/edit`);
    const [price, pages] = [page.getByLabel('Price'), page.getByLabel('Pages')];
    const save = page.locator('.edit-form button[type=submit]');
    expect(await price.inputValue()).toBe('3,25');
    expect(await save.isDisabled()).toBe(true);
    for (const [typed, reason] of [
      ['12,5,1', 'Saisissez un nombre.'],
      ['douze', 'Saisissez un nombre.'],
      ['0x10', 'Saisissez un nombre.'],
    ] as const) {
      await price.fill(typed);
      await save.click();
      await page.getByRole('alert').getByText(reason).waitFor();
    }
    await price.fill('');
    await price.pressSequentially('12,50');
    await pages.fill('1,5');
    await save.click();
    await page.getByRole('alert').getByText('Saisissez un nombre entier').waitFor();
    await pages.fill('320');
    await expectGood('the form');
    await save.click();
    await page.getByText('12,5', { exact: true }).waitFor();
    await expectGood('the document');
    const { body } = await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200);
    expect(body.properties).toMatchObject({ 'pr:price': 12.5, 'pr:pages': 320 });
    await go(`/browse${folder.path}`);
    await page.getByRole('row', { name: /Livre/ }).locator('.checkbox').click();
    await page.getByRole('status').getByText('1 sélectionné', { exact: true }).waitFor();
    await expectGood('the selection');
  });

  test('refuses a comma in English, where it could be a thousands separator', async () => {
    const { page, signIn, go } = await visit();
    const { uid } = await createDocument(server, { type: 'Priced', properties: { 'pr:price': 3 } });
    await signIn();
    await go(`/document/${uid}/edit`);
    await page.getByLabel('Price').fill('1,234');
    await page.locator('.edit-form button[type=submit]').click();
    await page.getByRole('alert').getByText('Price: Enter a number.').waitFor();
    await page.getByLabel('Price').fill('.5');
    await page.locator('.edit-form button[type=submit]').click();
    await page.getByText('0.5', { exact: true }).waitFor();
  });
});
