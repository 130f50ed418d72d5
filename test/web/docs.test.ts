/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const isThere = chromiumPath !== undefined;

(isThere ? describe : describe.skip)('The documentation in a browser', () => {
  const server = useServer({ CONTEXT_PATH: '/quire' });
  const visit = useBrowser(server, '/quire');

  test('shows the pages with their images and links without signing in', async () => {
    const { open, page, expectGood } = await visit();
    await open('/docs');
    const widths = () =>
      page
        .locator('article img')
        .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
    for (const each of await page.locator('article img').all()) await each.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    expect((await widths()).every((width) => width > 100)).toBe(true);
    await expectGood('the start');
    await page.locator('article').getByRole('link', { name: 'Search', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await expectGood('a document');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    expect(await page.evaluate(() => [location.pathname, document.activeElement?.id])).toEqual([
      '/quire/docs/search',
      'screen',
    ]);
    await open('/docs/requests#header-spellings-9');
    const top = page.getByRole('heading', { name: 'Header spellings' });
    expect((await top.boundingBox())?.y).toBeLessThan(200);
    expect(page.url()).toContain('/quire/docs/requests');
    await expectGood('a place in a document');
  });

  test('finds pages and operations by the beginnings of words, also at a width of 400 pixels', async () => {
    const { open, page, expectGood } = await visit({ viewport: { width: 400, height: 700 } });
    await open('/docs');
    await page.getByRole('searchbox').fill('idempot');
    await page.locator('.results').getByRole('listitem').first().waitFor();
    await expectGood('the results');
    await page.getByRole('searchbox').fill('fetch.document spelling');
    await page.getByRole('link', { name: 'Header spellings' }).click();
    await page.getByRole('heading', { name: 'Header spellings' }).waitFor();
    await page.getByRole('searchbox').fill('lock document');
    await page
      .getByRole('link', { name: /^POST \/automation\/Document.Lock/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await expectGood('a document');
  });

  test('describes an operation, and sends it once the user has signed in', async () => {
    const { open, page, expectGood } = await visit();
    await open('/docs/reference');
    await expectGood('the list');
    await page.getByRole('link', { name: '/path/{path}/@children', exact: true }).click();
    await page.getByText('Sign in to send requests to this server.').waitFor();
    await page.getByLabel('Username').fill('Administrator');
    await page.getByLabel('Password').fill('Administrator');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('path', { exact: true }).fill('default-domain');
    await page.getByLabel('pageSize').fill('2');
    await page.getByRole('button', { name: 'Send GET' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('200 OK').waitFor();
    await answer.getByText('"pageSize": 2').waitFor();
    await page.getByText('Documents', { exact: true }).last().click();
    await page.getByText('isNextPageAvailable').last().waitFor();
    await expectGood('an answer');
  });

  test('shows an example request with its response, and sends it with the values of the form', async () => {
    const { open, page, expectGood } = await visit();
    await page.addInitScript(() => {
      const kept = new Set<string>();
      const { createObjectURL, revokeObjectURL } = URL;
      URL.createObjectURL = (file) => {
        const made = createObjectURL(file);
        kept.add(made);
        return made;
      };
      URL.revokeObjectURL = (made) => {
        kept.delete(made);
        revokeObjectURL(made);
      };
      Object.assign(globalThis, { kept });
    });
    await open('/docs/reference/blobConvert');
    const example = page.getByRole('region', { name: 'Example' });
    await example.getByText('POST /api/v1/automation/Blob.Convert').waitFor();
    await example.getByText('With notes.txt').waitFor();
    await example.getByText('Some notes.').waitFor();
    await page.getByLabel('Username').fill('Administrator');
    await page.getByLabel('Password').fill('Administrator');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('Some notes.').waitFor();
    await expectGood('an operation with a file');
    await open('/docs/reference/executePageProvider');
    await example.getByText('ecm_fulltext=report').waitFor();
    await example.getByText('"entity-type": "documents"').waitFor();
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('200 OK').waitFor();
    await open('/docs/reference/blobCreateZip');
    const save = page.getByRole('link', { name: /^Save \d+ bytes/ });
    let address: string | null = null;
    for (const body of ['{}', '{"params":{}}']) {
      await page.getByLabel('Body').fill(body);
      await page.getByRole('button', { name: 'Send POST' }).click();
      // The link of the previous response stays until the next response arrives.
      await page.waitForFunction((before) => {
        const link = document.querySelector('a[download]');
        return link !== null && link.getAttribute('href') !== before;
      }, address);
      address = await save.getAttribute('href');
    }
    expect(await page.evaluate(() => [...(globalThis as unknown as { kept: Set<string> }).kept])).toEqual([
      address,
    ]);
    await open('/docs/reference/contextPopBlob');
    await example.getByText('There is no example. The stack exists only within a chain').waitFor();
    await expectGood('no example');
  });

  test('opens from the menu of the console', async () => {
    const { signIn, page, expectGood } = await visit();
    await signIn();
    await page.getByRole('button', { name: 'Account: Administrator' }).click();
    await page.getByRole('menuitem', { name: 'Documentation' }).click();
    await page.getByRole('heading', { name: 'Quire', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'REST interface' }).click();
    await page.getByRole('link', { name: '/me', exact: true }).first().click();
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('"id": "Administrator"').waitFor();
    await expectGood('signed in already');
  });
});
