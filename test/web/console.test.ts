/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SchemaDefinition } from '../../src/model/definitions.ts';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';
import { type Created, documentCreator } from './document-creator.ts';

const contextPath = '/quire';
const isThere = chromiumPath !== undefined;
if (!isThere)
  process.stdout.write('Chromium was not found, so the console is not tested. Set CHROMIUM to its path.\n');

const invoice = {
  number: { type: 'string', constraints: { required: true, pattern: '[A-Z]{2}-\\d+' } },
  amount: { type: 'double', constraints: { min: 0 } },
  due: 'date',
  paid: 'boolean',
  status: { type: 'string', constraints: { enum: ['open', 'paid'] }, default: 'open' },
  approver: { type: 'string', refersTo: { to: 'user' } },
  lines: { type: 'complex[]', fields: { text: 'string', count: 'long' } },
  scan: 'blob',
} satisfies SchemaDefinition['fields'];

(isThere ? describe : describe.skip)('The console in a browser', () => {
  const server = useServer(
    { CONTEXT_PATH: contextPath },
    {
      schemas: [{ name: 'invoice', prefix: 'inv', fields: invoice }],
      facets: [{ name: 'Payable', schemas: ['invoice'] }],
      types: [
        { name: 'Invoice', parent: 'File', facets: ['Payable'] },
        { name: 'InvoiceFolder', parent: 'Workspace', subtypes: ['Invoice', 'Note', 'Folder', 'File'] },
      ],
    },
  );
  const visit = useBrowser(server, contextPath);
  let folder: Created;
  let note: Created;

  const create = documentCreator(server);

  beforeAll(async () => {
    for (let sample = 0; sample < 3; sample += 1) await server.metricHistory.take();
    await createUser(server, 'ann', ['members']);
    folder = await create('/default-domain/workspaces', 'InvoiceFolder', 'Accounting');
    note = await create(folder.path, 'Note', 'A note', {
      'note:note': 'cobalt',
      'dc:coverage': 'europe/France',
    });
    await create(folder.path, 'Folder', 'Older');
    await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
  });

  test('shows every screen without faults and without accessibility violations', async () => {
    const { go, signIn, expectGood, page } = await visit();
    await signIn();
    const parts = ['', '/edit', '/versions', '/permissions', '/workflows', '/activity'];
    const sections = [
      'users',
      'users/ann',
      'groups',
      'providers',
      'shares',
      'vocabularies',
      'model',
      'storage',
      'jobs',
      'webhooks',
      'tokens',
      'audit',
      'health',
    ];
    const screens = [
      '/home',
      '/inbox',
      `/browse${folder.path}`,
      ...parts.map((part) => `/document/${note.uid}${part}`),
      '/search',
      '/tasks',
      '/favorites',
      '/collections',
      '/trash',
      '/no-such-screen',
      ...sections.map((section) => `/admin/${section}`),
    ];
    for (const screen of screens) {
      await go(screen);
      await expectGood(screen);
    }
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await page.evaluate(() => [location.pathname, document.activeElement?.id])).toEqual([
      `${contextPath}/admin/health`,
      'screen',
    ]);
  });

  test('asks for username and password at first, after wrong ones, and after signing out', async () => {
    const { open, expectGood, page, faults } = await visit({ colorScheme: 'dark' });
    await open('/');
    await expectGood('sign in');
    await page.getByLabel('Username').fill('ann');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Incorrect username or password.').waitFor();
    expect(faults.splice(0).join()).toContain('401');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expectGood('signed in, in the dark');
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account: ann' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    const busy = { status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' };
    await page.route(/\/logout$/, (route) => route.fulfill(busy), { times: 1 });
    await signOut();
    await page.getByText('Service Unavailable').waitFor();
    await page.getByRole('button', { name: 'Account: ann' }).waitFor();
    expect(faults.splice(0).join()).toContain('503');
    await signOut();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Service Unavailable').count()).toBe(0);
    await expectGood('signed out');
  });

  test('creates a document with a form made from the content model, and shows errors at their fields', async () => {
    const { open, signIn, expectGood, page } = await visit();
    await signIn('ann', password);
    await open(`/browse${folder.path}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Title').fill('An invoice');
    await page.getByRole('dialog').getByRole('button', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Invoice' }).click();
    await page.getByLabel('Number').fill('AB-1');
    await expectGood('the dialog');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'An invoice' }).waitFor();
    await page.getByLabel('Number').fill('wrong');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'paid' }).click();
    await page.getByRole('combobox', { name: 'Approver' }).fill('an');
    await page.getByRole('option', { name: 'ann' }).click();
    await page.getByRole('button', { name: 'Add: Lines' }).click();
    await page.getByLabel('Text').fill('a line');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Some values are invalid').waitFor();
    expect(await page.getByLabel('Number').getAttribute('aria-invalid')).toBe('true');
    await expectGood('the rejected form');
    await page.getByLabel('Number').fill('AB-12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('AB-12', { exact: true }).waitFor();
    const query = `{ search(query: "SELECT * FROM Invoice") { entries { properties(schemas: ["invoice"]) } } }`;
    const data = await askGraphql<{ search: { entries: unknown[] } }>(server.request, query);
    expect(data.search.entries).toEqual([
      {
        properties: expect.objectContaining({
          'inv:number': 'AB-12',
          'inv:amount': 12.5,
          'inv:status': 'paid',
          'inv:approver': 'ann',
          'inv:lines': [{ text: 'a line', count: null }],
        }),
      },
    ]);
    await expectGood('the saved document');
  });

  test('keeps the reference in a field until another one is chosen or its text is cleared', async () => {
    const { go, signIn, page, faults } = await visit();
    const { uid } = await create(folder.path, 'Note', 'Covered', { 'dc:coverage': 'europe/France' });
    await signIn();
    await go(`/document/${uid}/edit`);
    const box = page.locator('.field', { hasText: 'Coverage' }).locator('input');
    const save = page.locator('button[type=submit]');
    const option = (name: string) => page.getByRole('option', { name });
    await until(async () => (await box.inputValue()) === 'France');
    // Scrolling closes the list, so the field is scrolled into view first.
    await box.evaluate(async (input) => {
      input.scrollIntoView({ block: 'center' });
      for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    });
    await box.click();
    await option('France').waitFor();
    await page.keyboard.press('Tab');
    expect([await box.inputValue(), await save.isDisabled()]).toEqual(['France', true]);
    await box.fill('Belg');
    await option('Belgium').waitFor();
    await page.keyboard.press('Tab');
    expect([await box.inputValue(), await save.isDisabled()]).toEqual(['France', true]);
    await box.fill('Belg');
    await option('Belgium').click();
    await until(async () => (await box.inputValue()).includes('Belgium'));
    expect(await save.isDisabled()).toBe(false);
    await box.fill('');
    await page.keyboard.press('Tab');
    await save.click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const { body } = await server.request.get(`/quire/api/v1/id/${uid}`).set('properties', '*');
    expect(body.properties['dc:coverage']).toBeNull();
    expect(faults).toEqual([]);
  });

  test('searches by the beginning of a word, filters by facets, and saves the search', async () => {
    const { open, signIn, expectGood, page } = await visit();
    await signIn('ann', password);
    await page.getByRole('searchbox').first().fill('coba');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'A note' }).waitFor();
    await page.locator('.facet .checkbox', { hasText: 'France' }).click();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'More search actions' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'coba', exact: true }).waitFor();
    await expectGood('the search');
    const kept = 'mutation ($search: NewSavedSearch!) { createSavedSearch(search: $search) { id } }';
    const other = {
      title: 'elsewhere',
      pageProviderName: 'default_trash_search',
      contentViewData: 'words=a',
    };
    await askGraphql(server.request, kept, { search: { ...other, params: {} } });
    await open('/search');
    expect(await page.getByRole('link', { name: 'elsewhere' }).count()).toBe(0);
    await page.getByRole('link', { name: 'coba', exact: true }).click();
    await page.getByText('1 result', { exact: true }).waitFor();
  });

  test('is in French if the browser is, and usable at a width of 400 pixels', async () => {
    const { open, go, page, expectGood } = await visit({
      locale: 'fr',
      viewport: { width: 400, height: 700 },
    });
    await open('/');
    await page.getByLabel('Nom d’utilisateur').fill('Administrator');
    await page.getByLabel('Mot de passe').fill('Administrator');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Navigation principale' }).waitFor();
    for (const screen of [
      `/browse${folder.path}`,
      `/document/${note.uid}/permissions`,
      '/search',
      '/admin/users',
    ]) {
      await go(screen);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ screen, width }).toEqual({ screen, width: 400 });
      await expectGood(screen);
    }
  });
});
