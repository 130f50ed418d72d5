/** @group slow */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

(chromiumPath ? describe : describe.skip)('The console', () => {
  const server = useServer();
  const visit = useBrowser(server);

  test('reports a missing document, and opens the page of a document that is not a folder', async () => {
    const { page, signIn, go, expectGood } = await visit();
    await signIn();
    for (const [address, name] of [
      ['/browse/no/such', '/no/such'],
      ['/document/nope', 'nope'],
    ] as const) {
      await go(address);
      await page
        .getByRole('alert')
        .getByText(`The document ${name} does not exist.`, { exact: true })
        .waitFor();
      expect(await page.title()).toBe(`The document ${name} does not exist. – Quire`);
      await expectGood(address);
    }
    const { uid, path } = await createDocument(server, { type: 'Note', properties: { 'dc:title': 'Words' } });
    await go(`/browse${path}`);
    await page.getByRole('heading', { name: 'Words' }).waitFor();
    expect(await page.evaluate(() => location.pathname)).toBe(`/document/${uid}`);
    expect(await page.getByText('This folder is empty').count()).toBe(0);
  });

  test('has a page title for each section of the administration, and shows the version of the release', async () => {
    const { page, signIn, go } = await visit();
    await signIn();
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(await page.getByRole('link', { name: 'Quire', exact: true }).getAttribute('title')).toBe(
      `Quire ${version}`,
    );
    for (const [section, title] of [
      ['users', 'Users'],
      ['audit', 'Audit log'],
      ['health', 'Health'],
    ]) {
      await go(`/admin/${section}`);
      expect(await page.title()).toBe(`${title} – Quire`);
    }
  });

  test('shows probes and events in French', async () => {
    const { page, signIn, go } = await visit({ locale: 'fr-FR' });
    await signIn();
    await go('/admin/health');
    const shown = await page.locator('.probes .card').allInnerTexts();
    expect(shown.map((text) => text.split('\n').filter(Boolean).slice(0, 2))).toEqual([
      ['Base de données', expect.stringMatching(/^PostgreSQL [\d.]+.* répond$/)],
      ['Fichiers', 'les fichiers peuvent être écrits'],
      ['Index de recherche', expect.stringMatching(/^l’index a \d+ s de retard$/)],
      ['Tâches d’arrière-plan', 'tâches d’arrière-plan en échec : 0'],
    ]);
    await server.request
      .post('/api/v1/group')
      .send({ 'entity-type': 'group', groupname: 'readers' })
      .expect(201);
    await go('/admin/audit');
    await page.getByText('Groupe créé').first().waitFor();
  });

  test('shows administrators what quire doctor finds, and examines the installation again', async () => {
    const { page, signIn, go, expectGood } = await visit();
    await signIn();
    await go('/admin/health');
    const accounts = page.getByRole('region', { name: 'Accounts' });
    await accounts.getByText('The password of Administrator is the default one.', { exact: true }).waitFor();
    await accounts.getByText('Change the password in the console, under Account.', { exact: true }).waitFor();
    expect(await accounts.getByLabel('Advice').count()).toBe(1);
    await expectGood('/admin/health');
    await server.database.prisma.logEntry.create({
      data: {
        repository: '',
        eventId: 'backupCreated',
        category: 'Administration',
        principalName: 'Administrator',
        eventDate: new Date(),
      },
    });
    const backups = page.getByRole('region', { name: 'Backups' });
    await backups.waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await backups.waitFor({ state: 'detached' });
  });
});
