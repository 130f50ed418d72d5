/** @group slow */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

const logo = join(newFolder(), 'logo.svg');
writeFileSync(
  logo,
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>',
);

(chromiumPath ? describe : describe.skip)('The look of an organization in the console', () => {
  const server = useServer({
    CONSOLE_NAME: 'Acme & Sons',
    CONSOLE_COLOR: '#ffd400',
    CONSOLE_LOGO: logo,
  });
  const visit = useBrowser(server);

  test.each(['light', 'dark'] as const)(
    'shows name, logo and a readable shade of the color (%s)',
    async (colorScheme) => {
      const { page, open, signIn, expectGood } = await visit({ colorScheme });
      await open('/');
      const brand = page.locator('.brand');
      expect(await brand.textContent()).toBe('Acme & Sons');
      await expectGood('the sign-in');
      await signIn();
      await page.getByRole('link', { name: 'Acme & Sons', exact: true }).waitFor();
      expect(await page.title()).toBe('Home – Acme & Sons');
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.logo')?.naturalWidth === 20,
      );
      const accent = await page.evaluate(() =>
        document.documentElement.style.getPropertyValue('--accent').startsWith('light-dark(rgb('),
      );
      expect(accent).toBe(true);
      await expectGood('the home screen');
    },
  );
});
