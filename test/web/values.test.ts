/** @group slow */
import { describe, expect, test } from '@jest/globals';
import type { SchemaDefinition } from '../../src/model/definitions.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { createGroup, createUser } from '../support/users.ts';

const shades = ['light, or none', 'dark', 'light'];
const shaded = {
  shade: { type: 'string', constraints: { enum: shades } },
  shades: { type: 'string[]', constraints: { enum: shades } },
  part: { type: 'complex', fields: { inner: { type: 'string', constraints: { enum: ['a, b', 'c'] } } } },
  isDry: 'boolean',
  isOld: { type: 'boolean', constraints: { required: true }, default: false },
} satisfies SchemaDefinition['fields'];

const rates = {
  code: 'string',
  label: 'string',
  digits: 'long',
  old: 'boolean',
} satisfies SchemaDefinition['fields'];

(chromiumPath ? describe : describe.skip)('The values in the console', () => {
  const server = useServer(
    {},
    {
      schemas: [
        { name: 'shaded', prefix: 'sh', fields: shaded },
        { name: 'rates', fields: rates },
      ],
      directories: [
        {
          name: 'rates',
          schema: 'rates',
          idField: 'code',
          entries: [{ code: 'EUR', label: 'Euro', digits: 2 }],
        },
      ],
      facets: [{ name: 'Shaded', schemas: ['shaded'] }],
      types: [{ name: 'Shaded', parent: 'Note', facets: ['Shaded'] }],
    },
  );
  const visit = useBrowser(server);
  const propertiesOf = async (uid: string): Promise<Record<string, unknown>> =>
    (await server.request.get(`/api/v1/id/${uid}`).set('properties', '*').expect(200)).body.properties;

  test('offers the allowed values of a field, including values with a comma', async () => {
    const { page, signIn, go, expectGood } = await visit();
    const { uid } = await createDocument(server, { type: 'Shaded' });
    await signIn();
    await go(`/document/${uid}/edit`);
    const shade = page.locator('.field', { has: page.getByText('Shade', { exact: true }) });
    await shade.getByRole('button').click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['–', ...shades]);
    await page.getByRole('option', { name: 'light, or none' }).click();
    await page.getByRole('button', { name: 'Inner' }).click();
    await page.getByRole('option', { name: 'a, b' }).click();
    await page.locator('.edit-form button[type=submit]').click();
    await page.locator('.edit-form').waitFor({ state: 'detached' });
    await page.getByText('light, or none', { exact: true }).waitFor();
    await expectGood('the document');
    expect(await propertiesOf(uid)).toMatchObject({
      'sh:shade': 'light, or none',
      'sh:part': { inner: 'a, b' },
    });
  });

  test('lists the allowed values of each field in GraphQL', async () => {
    const { schema } = await askGraphql<{ schema: object }>(
      server.request,
      '{ schema(name: "shaded") { choices { xpath values } } }',
    );
    expect(schema).toEqual({
      choices: [
        { xpath: 'sh:shade', values: shades },
        { xpath: 'sh:shades', values: shades },
        { xpath: 'sh:part/inner', values: ['a, b', 'c'] },
      ],
    });
  });

  test('clears a checkbox to indeterminate unless the field is required', async () => {
    const { page, signIn, go, expectGood } = await visit();
    const { uid } = await createDocument(server, { type: 'Shaded' });
    const box = page.getByRole('checkbox', { name: 'Is dry' });
    const saved = async () => {
      await page.locator('.edit-form button[type=submit]').click();
      await page.locator('.edit-form').waitFor({ state: 'detached' });
      return (await propertiesOf(uid))['sh:isDry'];
    };
    const isMixed = () =>
      box.evaluate((input) => (input as unknown as { indeterminate: boolean }).indeterminate);
    await signIn();
    await go(`/document/${uid}/edit`);
    expect(await isMixed()).toBe(true);
    expect(await page.getByRole('button', { name: 'Clear: Is dry' }).count()).toBe(0);
    await page.getByText('Is dry').click();
    expect([await isMixed(), await box.isChecked()]).toEqual([false, true]);
    await page.getByText('Is dry').click();
    expect(await saved()).toBe(false);
    await go(`/document/${uid}/edit`);
    expect(await isMixed()).toBe(false);
    expect(await page.getByRole('button', { name: 'Clear: Is old' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear: Is dry' }).click();
    expect(await isMixed()).toBe(true);
    await expectGood('the form');
    expect(await saved()).toBeNull();
  });

  test('shows a permission with a start time as not active until then', async () => {
    const { page, signIn, go, expectGood, faults } = await visit({ timezoneId: 'Europe/Paris' });
    const { uid } = await createDocument(server);
    await signIn();
    await go(`/document/${uid}/permissions`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'User or group' }).fill('mem');
    await page.getByRole('option', { name: 'Members' }).click();
    await dialog.getByLabel('Start date').fill('2190-07-01T09:30');
    await dialog.getByLabel('Expiration date').fill('2190-06-30');
    await dialog.getByRole('button', { name: 'Share' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/begin must not be after the end/)
      .waitFor();
    expect(faults).toEqual([]);
    await dialog.getByLabel('Expiration date').fill('');
    await dialog.getByRole('button', { name: 'Share' }).click();
    await page
      .getByRole('row', { name: /Members/ })
      .getByText('Jul 1, 2190')
      .waitFor();
    await expectGood('the rights');
    const { body } = await server.request.get(`/api/v1/id/${uid}/@acl`).expect(200);
    expect(body.acl[0].ace[0]).toMatchObject({
      username: 'members',
      begin: '2190-07-01T07:30:00.000Z',
      end: null,
      status: 'pending',
    });
  });

  test('sends only changed values of users, groups, entries and webhooks, and numbers as numbers', async () => {
    const { page, signIn, go, expectGood } = await visit();
    const { request } = server;
    for (const name of ['crew', 'yard', 'deck']) await createGroup(server, name);
    await createUser(server, 'eve', ['yard']);
    await signIn();
    const dialog = page.getByRole('dialog');
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const choose = async (label: string, name: string) => {
      await dialog.getByRole('combobox', { name: label }).fill(name);
      await page.getByRole('option', { name }).first().click();
      await page.keyboard.press('Tab'); // must not choose another option
    };
    await go('/admin/users');
    await page.getByRole('button', { name: 'Edit: eve' }).click();
    await request.post('/api/v1/user/eve/group/crew').expect(201);
    await dialog.getByLabel('First name').fill('Eve');
    await choose('Groups', 'deck');
    await dialog.locator('.chip', { hasText: 'yard' }).getByRole('button').click();
    await save();
    const { body: eve } = await request.get('/api/v1/user/eve');
    expect(eve.properties).toMatchObject({ firstName: 'Eve', groups: ['crew', 'deck'] });
    await go('/admin/groups');
    await page.getByRole('button', { name: 'Edit: crew' }).click();
    await dialog.getByLabel('Display name').fill('The crew');
    await request.post('/api/v1/user/Administrator/group/crew').expect(201);
    await choose('Subgroups', 'yard');
    await dialog.locator('.chip', { hasText: 'eve' }).getByRole('button').click();
    await save();
    const { body: crew } = await request
      .get('/api/v1/group/crew')
      .set('fetch.group', 'memberUsers, memberGroups');
    expect(crew).toMatchObject({
      grouplabel: 'The crew',
      memberUsers: ['Administrator'],
      memberGroups: ['yard'],
    });
    await go('/admin/vocabularies');
    await page.getByRole('button', { name: 'Vocabulary' }).click();
    await page.getByRole('option', { name: 'rates' }).click();
    await page.getByRole('button', { name: 'Edit: EUR' }).click();
    await dialog.getByLabel('Digits').fill('3');
    await expectGood('the form of an entry');
    await save();
    const { body: euro } = await request.get('/api/v1/directory/rates/EUR');
    expect(euro.properties).toEqual({ code: 'EUR', label: 'Euro', digits: 3, old: null });
    const { createWebhook: hook } = await askGraphql<{ createWebhook: { id: string } }>(
      request,
      'mutation { createWebhook(webhook: { url: "https://example.org/hook", types: ["Root"] }) { id } }',
    );
    await go('/admin/webhooks');
    await page.getByRole('button', { name: 'Edit: https://example.org/hook' }).click();
    const off = 'mutation ($id: ID!) { updateWebhook(id: $id, webhook: { enabled: false }) { id } }';
    await askGraphql(request, off, hook);
    await dialog.getByLabel('Events').fill('documentCreated');
    await save();
    const { webhooks } = await askGraphql<{ webhooks: { entries: unknown[] } }>(
      request,
      '{ webhooks { entries { url events types enabled } } }',
    );
    expect(webhooks.entries).toEqual([
      { url: 'https://example.org/hook', events: ['documentCreated'], types: ['Root'], enabled: false },
    ]);
  });
});
