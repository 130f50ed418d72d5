/** @group slow */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SchemaDefinition } from '../../src/model/definitions.ts';
import { chromiumPath, useBrowser, type Visit } from '../support/browser.ts';
import { createDocument, updateDocument } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

const every = {
  text: 'string',
  number: 'long',
  decimal: 'double',
  day: 'date',
  texts: 'string[]',
  part: { type: 'complex', fields: { label: 'string', scan: 'blob' } },
  status: { type: 'string', constraints: { enum: ['open', 'paid'] } },
} satisfies SchemaDefinition['fields'];

const must = {
  kind: { type: 'string', constraints: { required: true }, default: 'plain' },
  reason: { type: 'string', constraints: { required: true } },
} satisfies SchemaDefinition['fields'];

const stored = {
  'ev:text': ' two\nlines',
  'ev:number': -3,
  'ev:decimal': 0.5,
  'ev:day': '2026-03-10T12:34:56.789Z',
  'ev:texts': ['a', 'b'],
  'ev:part': { label: 'x' },
  'ev:status': 'open',
};

(chromiumPath ? describe : describe.skip)('The forms of the console', () => {
  const server = useServer(
    {},
    {
      schemas: [
        { name: 'every', prefix: 'ev', fields: every },
        { name: 'must', prefix: 'mu', fields: must },
      ],
      facets: [
        { name: 'Every', schemas: ['every'] },
        { name: 'Must', schemas: ['must'] },
      ],
      types: [
        { name: 'Every', parent: 'File', facets: ['Every'] },
        { name: 'Must', parent: 'Note', facets: ['Must'] },
        { name: 'Box', parent: 'Workspace', subtypes: ['Must'] },
      ],
    },
  );
  const visit = useBrowser(server);
  let box: string;

  const make = async (properties: Record<string, unknown>): Promise<string> =>
    (await createDocument(server, { type: 'Every', properties })).uid;
  const propertiesOf = async (uid: string): Promise<Record<string, unknown>> =>
    (await server.request.get(`/api/v1/id/${uid}`).set('properties', '*')).body.properties;

  const saveIn = (page: Page) => page.locator('.edit-form button[type=submit]');
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const saved = async (page: Page) => {
    await saveIn(page).click();
    await page.locator('.edit-form').waitFor({ state: 'detached' });
  };
  const edit = async ({ go, page }: Visit, uid: string) => {
    await go(`/document/${uid}/edit`);
    await saveIn(page).waitFor();
  };

  beforeAll(async () => {
    box = (await createDocument(server, { type: 'Box', properties: { 'dc:title': 'Box' } })).path;
  });

  test('send nothing for fields that are only focused, scrolled over, or changed and changed back', async () => {
    const visited = await visit({ timezoneId: 'Asia/Kolkata' });
    const { page, signIn, faults } = visited;
    const uid = await make(stored);
    await signIn();
    await edit(visited, uid);
    await page.locator('.edit-form input').first().focus();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let count = 0; count < 60; count += 1) await page.keyboard.press(key);
    await field(page, 'Number').click();
    await page.mouse.wheel(0, 100);
    await field(page, 'Text').focus();
    await page.keyboard.type('x');
    expect(await saveIn(page).isDisabled()).toBe(false);
    await page.keyboard.press('Backspace');
    expect(await saveIn(page).isDisabled()).toBe(true);
    expect(await propertiesOf(uid)).toMatchObject(stored);
    expect(faults).toEqual([]);
  });

  test('keep typed text key by key, and the parts of a value that are not edited', async () => {
    const visited = await visit({ timezoneId: 'America/New_York' });
    const { page, signIn, expectGood } = visited;
    const uid = await make(stored);
    await signIn();
    for (const keys of ['1.05', '-0.001', '1e21']) {
      await edit(visited, uid);
      await field(page, 'Decimal').fill('');
      await field(page, 'Decimal').pressSequentially(keys);
      await saved(page);
      expect(await propertiesOf(uid)).toMatchObject({ ...stored, 'ev:decimal': Number(keys) });
    }
    await edit(visited, uid);
    await field(page, 'Day').focus();
    await page.keyboard.type('12251999');
    await field(page, 'Text').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.getByRole('button', { name: 'Add: Texts' }).click();
    await page.getByRole('button', { name: 'Move up' }).first().click();
    await page.getByRole('button', { name: /Status/ }).click();
    await page.getByRole('option', { name: '–' }).click();
    await expectGood('the form');
    await saved(page);
    expect(await propertiesOf(uid)).toMatchObject({
      'ev:day': '1999-12-25T13:34:56.789Z',
      'ev:text': ' two\nlines!',
      'ev:texts': ['b', 'a'],
      'ev:status': null,
    });
  });

  test('refuse an incomplete date or number instead of clearing the value', async () => {
    const visited = await visit();
    const { page, signIn, go } = visited;
    const uid = await make(stored);
    await signIn();
    await edit(visited, uid);
    await field(page, 'Day').focus();
    await page.keyboard.press('Backspace');
    await saveIn(page).click();
    await page
      .getByRole('alert')
      .getByText(/^Day: /)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await edit(visited, uid);
    await field(page, 'Decimal').fill('');
    await field(page, 'Decimal').pressSequentially('1e');
    await saveIn(page).click();
    await page
      .getByRole('alert')
      .getByText(/^Decimal: /)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await propertiesOf(uid)).toMatchObject(stored);
    await go(`/document/${uid}/permissions`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('combobox', { name: 'User or group' }).fill('mem');
    await page.getByRole('option', { name: 'Members' }).click();
    await page.getByLabel('Expiration date').focus();
    await page.keyboard.type('0601');
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Expiration date: /)
      .waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor();
  });

  test('wait for an upload, keep text typed during it, and accept no input while being sent', async () => {
    const visited = await visit();
    const { page, signIn } = visited;
    const uid = await make(stored);
    const file = join(newFolder(), 'scan.txt');
    await writeFile(file, 'scanned');
    await signIn();
    await edit(visited, uid);
    let proceed = () => {};
    const isAsked = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    await page.route(/\/upload\/[^/]+\/0$/, async (route) => {
      await isAsked;
      await route.continue();
    });
    const part = page.locator('fieldset', { hasText: 'Part' });
    await part.locator('input[type=file]').setInputFiles(file);
    await part.getByLabel('Label').fill('typed meanwhile');
    await saveIn(page).click();
    await page.getByText('A file is still uploading.').waitFor();
    proceed();
    await page.getByText('scan.txt').waitFor();
    let answer = () => {};
    const isSaved = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/graphql$/, async (route) => {
      if (route.request().postData()?.includes('UpdateDocument')) await isSaved;
      await route.continue();
    });
    await part.getByLabel('Label').press('Enter');
    await page.locator('.edit-form[inert]').waitFor();
    await page.keyboard.type('too late');
    answer();
    await page.locator('.edit-form').waitFor({ state: 'detached' });
    expect((await propertiesOf(uid))['ev:part']).toMatchObject({
      label: 'typed meanwhile',
      scan: { name: 'scan.txt', length: '7' },
    });
  });

  test('keep unsaved changes after leaving or losing the session, and overwrite no changes by others', async () => {
    const visited = await visit();
    const { page, signIn, go, faults } = visited;
    const uid = await make(stored);
    await signIn();
    await edit(visited, uid);
    await field(page, 'Text').fill('mine');
    await go('/tasks');
    await page.getByText('Your unsaved changes are kept').first().waitFor();
    await edit(visited, uid);
    expect(await field(page, 'Text').inputValue()).toBe('mine');
    await page.context().clearCookies();
    await saveIn(page).click();
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await page.getByLabel('Username').fill('Administrator');
    await page.getByLabel('Password').fill('Administrator');
    await page.keyboard.press('Enter');
    await page.getByText('You have unsaved changes. Save them').waitFor();
    await updateDocument(server.request, uid, { 'ev:text': 'theirs', 'ev:number': 7 }).expect(200);
    await page.getByRole('alert').getByText('Administrator has saved other values since you began').waitFor();
    expect(await field(page, 'Text').inputValue()).toBe('mine');
    expect(await saveIn(page).isDisabled()).toBe(true);
    // A slow browser may open the form again before it has rendered the screen in between.
    await page.getByRole('button', { name: 'Cancel' }).evaluate(async (button) => {
      const here = location.href;
      (button as HTMLElement).click();
      await Promise.resolve();
      history.pushState({}, '', here);
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await edit(visited, uid);
    expect(await field(page, 'Text').inputValue()).toBe('theirs');
    await field(page, 'Text').fill('mine');
    await saved(page);
    expect(await propertiesOf(uid)).toMatchObject({ 'ev:text': 'mine', 'ev:number': 7 });
    expect(faults.join()).toContain('401');
  });

  test('keep the default values of a new document, and name its missing required fields', async () => {
    const { page, signIn, go } = await visit();
    await signIn();
    await go(`/browse${box}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Needed');
    await dialog.getByRole('button', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Must' }).click();
    await dialog.getByLabel('Reason').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Reason').fill('because');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Needed' }).waitFor();
    const { body } = await server.request.get(`/api/v1/path${box}/Needed`).set('properties', '*');
    expect(body.properties).toMatchObject({ 'mu:kind': 'plain', 'mu:reason': 'because' });
  });
});
