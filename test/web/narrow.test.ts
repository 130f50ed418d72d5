/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';

const width = 390;

/** Whether an element is horizontally within the page. */
const isInSight = async (page: Page, selector: string): Promise<boolean> => {
  const box = await page.locator(selector).boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= width;
};

(chromiumPath ? describe : describe.skip)('The console on a phone', () => {
  const server = useServer();
  const visit = useBrowser(server);
  const viewport = { width, height: 844 };

  beforeAll(async () => {
    const query = 'mutation ($webhook: WebhookInput!) { createWebhook(webhook: $webhook) { id } }';
    for (const path of ['/default-domain/workspaces', '/default-domain/sections']) {
      const webhook = { url: 'https://example.org/hook', events: ['documentCreated'], types: ['Note'], path };
      await askGraphql(server.request, query, { webhook });
    }
  });

  test('scrolls the chosen tab into view when a page is opened by its address', async () => {
    const { page, signIn, open } = await visit({ viewport });
    const { uid } = await createDocument(server, { type: 'Note' });
    await signIn();
    for (const address of ['/admin/users', '/admin/jobs', '/admin/health', `/document/${uid}/activity`]) {
      await open(address);
      expect([address, await isInSight(page, '.tab.active')]).toEqual([address, true]);
    }
  });

  test.each(['en', 'fr'])('shows all labels of the navigation bar to administrators: %s', async (locale) => {
    const { page, signIn } = await visit({ viewport, locale });
    await signIn();
    const cut = await page
      .locator('.place span')
      .evaluateAll((labels) => labels.filter((label) => label.scrollWidth > label.clientWidth).length);
    expect([await page.locator('.place').count(), cut]).toEqual([8, 0]);
  });

  test('shows the initials of the user, which open the user menu', async () => {
    const { page, signIn } = await visit({ viewport });
    await signIn();
    const box = await page.locator('.user-button .avatar').boundingBox();
    expect(box?.width).toBeGreaterThan(20);
    expect(await isInSight(page, '.user-button')).toBe(true);
  });

  test('shows the rows of the administration without horizontal scrolling, and times on one line', async () => {
    const { page, signIn, go, expectGood } = await visit({ viewport });
    await signIn();
    for (const section of ['audit', 'webhooks']) {
      await go(`/admin/${section}`);
      const lines = await page
        .locator('time')
        .evaluateAll((times) => times.map((time) => time.getClientRects().length));
      expect([section, new Set(lines)]).toEqual([section, new Set([1])]);
      const isWhole = await page
        .locator('.scrolled')
        .evaluateAll((tables) => tables.map((table) => table.scrollWidth <= table.clientWidth));
      expect([section, isWhole]).toEqual([section, [true]]);
      await expectGood(section);
    }
    const row = (path: string) => page.getByRole('row', { name: path }).filter({ hasText: 'Note' });
    for (const path of ['/default-domain/workspaces', '/default-domain/sections'])
      expect(await row(path).count()).toBe(1);
  });
});
