/** @group slow, long */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pMap from 'p-map';
import { setAcl } from '../support/acls.ts';
import { chromiumPath, drop, useBrowser } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { askGraphql, call } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

/** A window in which all actions on selected documents fit into one line. */
const wide = { width: 1600, height: 800 };

/** Number of documents that are created concurrently. */
const concurrency = 8;

(chromiumPath === undefined ? describe.skip : describe)(
  'Lists of the console, and what is done with several',
  () => {
    const server = useServer();
    const visit = useBrowser(server);
    let folder: DocumentEntity;

    const create = (parent: string, type: string, title: string, properties = {}) =>
      createDocument(server, { parent, type, name: title, properties: { 'dc:title': title, ...properties } });

    const pathsOf = async (where: string): Promise<string[]> => {
      const query = `query ($query: String!) { search(query: $query, sortBy: ["ecm:path"]) { entries { path } } }`;
      const data = await askGraphql<{ search: { entries: Array<{ path: string }> } }>(server.request, query, {
        query: `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}' AND ecm:isVersion = 0 AND ${where}`,
      });
      return data.search.entries.map(({ path }) => path.slice(folder.path.length));
    };

    beforeAll(async () => {
      await createUser(server, 'ann', ['members']);
      folder = await create('/default-domain/workspaces', 'Workspace', 'Lists');
      await setAcl(server, folder.path, [{ username: 'ann', permission: 'ReadWrite' }]);
    });

    test('trashes several documents, names those that are refused, and restores them', async () => {
      const { open, signIn, expectGood, page } = await visit();
      const { path } = await create(folder.path, 'Folder', 'Waste');
      await create(path, 'Note', 'Mine');
      await create(path, 'Note', 'Kept');
      await setAcl(server, `${path}/Kept`, [{ username: 'ann', permission: 'Remove', granted: false }]);
      await signIn('ann', password);
      await open(`/browse${path}`);
      for (const name of ['Mine', 'Kept']) await page.getByRole('row', { name }).locator('.checkbox').click();
      await expectGood('the selection');
      await page.getByRole('button', { name: 'Move to trash' }).click();
      await page.getByText('Moved to trash (1)').waitFor(); // shown for five seconds only
      await page.getByText('Kept: You do not have the “Delete” permission.').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Show trashed items' }).click();
      await page.getByRole('row', { name: 'Mine' }).locator('.checkbox').click();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('No items from this folder are in the trash.').waitFor();
    });

    test('offers the actions for a selection, and says in French why some are not possible', async () => {
      const { open, signIn, expectGood, page } = await visit({ locale: 'fr-FR', viewport: wide });
      const { path } = await create(folder.path, 'Folder', 'Rights');
      for (const name of ['Free', 'Fixed', 'Read']) await create(path, 'Note', name);
      for (const [name, permission] of [
        ['Fixed', 'Remove'],
        ['Read', 'Write'],
      ] as const)
        await setAcl(server, `${path}/${name}`, [{ username: 'ann', permission, granted: false }]);
      await signIn('ann', password);
      await open(`/browse${path}`);
      const choose = (name: string) => page.getByRole('row', { name }).locator('.checkbox').click();
      const bar = page.getByRole('toolbar');
      const offered = async () => {
        const shown = await bar.locator('button:not([aria-disabled])').allInnerTexts();
        return shown.filter(Boolean);
      };
      await choose('Read');
      expect(await offered()).toEqual(['Ajouter des étiquettes', 'Copier']);
      await bar.getByRole('button', { name: 'Renommer' }).focus();
      await page
        .getByRole('tooltip')
        .getByText('Vous n’avez pas la permission « Modification des propriétés ».')
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.notice').getByText('Vous n’avez pas la permission').waitFor();
      await choose('Read');
      await choose('Fixed');
      expect(await offered()).toEqual([
        'Renommer',
        'Définir une propriété',
        'Ajouter des étiquettes',
        'Copier',
      ]);
      await choose('Free');
      expect(await offered()).toEqual([
        'Définir une propriété',
        'Ajouter des étiquettes',
        'Déplacer',
        'Copier',
        'Mettre à la corbeille',
      ]);
      await expectGood('what is offered');
      await page.getByRole('button', { name: 'Mettre à la corbeille' }).click();
      await page.getByText('Fixed: Vous n’avez pas la permission « Suppression ».').waitFor();
    });

    test('runs actions over all results, not only those shown, and names the documents that failed', async () => {
      const { open, signIn, expectGood, page } = await visit({ viewport: wide });
      const { path } = await create(folder.path, 'Folder', 'Many');
      const numbers = Array.from({ length: 60 }, (_, index) => index);
      await pMap(numbers, (index) => create(path, 'Note', `Zinc ${index}`), { concurrency });
      await setAcl(server, `${path}/Zinc 7`, [
        { username: 'ann', permission: 'WriteProperties', granted: false },
      ]);
      await signIn('ann', password);
      await open('/search?words=zinc');
      const chooseAll = async () => {
        await page.getByRole('row', { name: /^Zinc/ }).first().locator('.checkbox').click();
        await page.getByRole('button', { name: 'Select all 60 results' }).click();
      };
      await chooseAll();
      await expectGood('all are chosen');
      await page.getByRole('button', { name: 'Set a property' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Description' }).fill('a metal');
      await expectGood('the property');
      await page.getByRole('dialog').getByRole('button', { name: 'Set a property' }).click();
      const panel = page.getByRole('region', { name: 'Set a property' });
      await panel.getByText('59 of 60 processed').waitFor();
      await panel.getByText('Zinc 7: You do not have the “Edit properties” permission.').waitFor();
      await expectGood('what was refused');
      expect(await pathsOf("dc:description = 'a metal'")).toHaveLength(59);
      await chooseAll();
      await page.getByRole('toolbar').getByRole('button', { name: 'Export as CSV' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download file' }).click();
      expect((await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')).toHaveLength(61);
      await chooseAll();
      await page.getByRole('button', { name: 'Move to trash' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
      await page.getByRole('region', { name: 'Move to trash' }).getByText('60 of 60 processed').waitFor();
      await page.getByText('0 results', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Account: ann' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('Username').fill('Administrator');
      await page.getByLabel('Password').fill('Administrator');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(await page.getByText(/Zinc 7|60 of 60 processed/).count()).toBe(0);
    });

    test('loads results as the user scrolls, with facets only for the first page', async () => {
      const { open, signIn, expectGood, page } = await visit();
      const { path } = await create(folder.path, 'Folder', 'Long');
      const numbers = Array.from({ length: 160 }, (_, index) => index);
      await pMap(numbers, (index) => create(path, 'Note', `Nickel ${index}`), { concurrency });
      const asked: boolean[] = [];
      page.on('request', (request) => {
        const { query, variables } = request.postDataJSON() ?? {};
        if (String(query).includes('FindDocuments')) asked.push(variables.withFacets);
      });
      await signIn('ann', password);
      await open('/search?words=nickel');
      await page.getByText('160 results', { exact: true }).waitFor();
      await expectGood('the first page');
      expect(asked).toEqual([true]);
      // All are equally relevant, so that the one that was changed first is the last.
      const { body } = await server.request.get('/api/v1/search/execute').query({
        query: "SELECT * FROM Note WHERE dc:title LIKE 'Nickel %' ORDER BY dc:modified",
        pageSize: 1,
      });
      const last: string = body.entries[0].title;
      await page.getByRole('grid').hover();
      await until(async () => {
        await page.mouse.wheel(0, 2_000);
        return page.getByRole('row', { name: new RegExp(`^${last}(?!\\d)`) }).isVisible();
      });
      expect(asked).toEqual([true, false, false, false]);
      await expectGood('the last page');
    });

    test('moves rows that are dragged onto a folder of the list or of the tree', async () => {
      const { open, signIn, expectGood, page } = await visit();
      const { path } = await create(folder.path, 'Folder', 'From');
      await create(path, 'Folder', 'Inner');
      for (const title of ['One', 'Two', 'Fixed', 'Last']) await create(path, 'Note', title);
      await setAcl(server, `${path}/Fixed`, [{ username: 'ann', permission: 'Remove', granted: false }]);
      await signIn('ann', password);
      await open(`/browse${path}`);
      const table = page.getByRole('grid', { name: 'From' });
      const row = (name: string) => table.getByRole('row', { name, exact: true });
      for (const name of ['One', 'Two', 'Fixed']) await row(name).locator('.checkbox').click();
      await row('Two').dragTo(row('Inner'));
      await page.getByText('Moved (2)').waitFor();
      await page.getByText(/^Fixed: /).waitFor();
      await row('Two').waitFor({ state: 'detached' });
      await row('Last').dragTo(page.getByRole('treegrid').getByRole('row', { name: 'Lists' }));
      await row('Last').waitFor({ state: 'detached' });
      await expectGood('after the moves');
      const isNote = "ecm:primaryType = 'Note' AND ecm:isTrashed = 0";
      expect(await pathsOf(isNote)).toEqual(
        expect.arrayContaining(['/From/Fixed', '/From/Inner/One', '/From/Inner/Two', '/Last']),
      );
    });

    test('moves documents that are dragged from a search, home or the breadcrumbs onto any folder', async () => {
      const { open, signIn, expectGood, page } = await visit({ viewport: { width: 1440, height: 900 } });
      const { path } = await create(folder.path, 'Folder', 'Anywhere');
      const inner = await create(path, 'Folder', 'Zirconium box');
      const { uid } = await create(path, 'Note', 'Zirconium one');
      const deep = await create(inner.path, 'Note', 'Zirconium two');
      await signIn('ann', password);
      await open('/search?ecm_fulltext=zirconium');
      const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
      await row('Zirconium one').dragTo(row('Zirconium box'));
      await page.getByText('Moved').first().waitFor();
      expect(await pathsOf(`ecm:uuid = '${uid}'`)).toEqual(['/Anywhere/Zirconium box/Zirconium one']);
      await open(`/browse${inner.path}`);
      const crumbs = page.getByRole('navigation', { name: 'Path' });
      await row('Zirconium two').dragTo(crumbs.getByRole('link', { name: 'Anywhere' }));
      await row('Zirconium two').waitFor({ state: 'detached' });
      expect(await pathsOf(`ecm:uuid = '${deep.uid}'`)).toEqual(['/Anywhere/Zirconium two']);
      // A document that is dropped on its own folder stays there.
      await row('Zirconium one').dragTo(
        page.getByRole('treegrid').getByRole('row', { name: 'Zirconium box' }),
      );
      for (const favorite of [deep.uid, inner.uid])
        await call(as(server, 'ann'), 'Document.AddToFavorites', { input: favorite }).expect(200);
      await open('/home');
      const favorites = page.getByRole('region', { name: 'Favorites' });
      await favorites
        .getByRole('link', { name: /Zirconium two/ })
        .dragTo(favorites.getByRole('link', { name: /Zirconium box/ }));
      await page.getByText('Moved').first().waitFor();
      expect(await pathsOf(`ecm:uuid = '${deep.uid}'`)).toEqual(['/Anywhere/Zirconium box/Zirconium two']);
      await expectGood('home');
      await open(`/browse${inner.path}`);
      const tree = page.getByRole('treegrid');
      await tree.getByRole('row', { name: 'Zirconium box' }).dragTo(tree.getByRole('row', { name: 'Lists' }));
      await page.getByText('Moved').first().waitFor();
      expect(await pathsOf(`ecm:uuid = '${inner.uid}'`)).toEqual(['/Zirconium box']);
      expect(await pathsOf(`ecm:uuid = '${uid}'`)).toEqual(['/Zirconium box/Zirconium one']);
    });

    test('uploads files that are dropped on a folder in the tree or in the breadcrumbs', async () => {
      const { open, signIn, expectGood, page } = await visit({ viewport: { width: 1440, height: 900 } });
      const { path } = await create(folder.path, 'Folder', 'Target');
      const { path: below } = await create(path, 'Folder', 'Below target');
      await signIn('ann', password);
      await open(`/browse${below}`);
      const [first, second] = [join(newFolder(), 'by tree.txt'), join(newFolder(), 'by path.txt')];
      await Promise.all([first, second].map((file) => writeFile(file, 'words')));
      await page.getByRole('treegrid').getByRole('row', { name: 'Target', exact: true }).waitFor();
      await drop(page, '.tree-item:has-text("Below target")', [first], 8);
      await page.getByText('1 of 1 files uploaded').waitFor();
      await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click();
      await drop(page, '.path li:last-child', [second], 8);
      await page.getByText('1 of 1 files uploaded').waitFor();
      expect(await pathsOf("ecm:primaryType = 'Note' AND dc:title LIKE 'by %'")).toEqual(
        expect.arrayContaining(['/Target/Below target/by tree.txt', '/Target/by path.txt']),
      );
      await expectGood('the uploads');
    });

    test('shows more folders in the tree on request', async () => {
      const { open, signIn, expectGood, page } = await visit();
      const { path } = await create(folder.path, 'Folder', 'Wide');
      const titles = Array.from({ length: 101 }, (_, index) => `Part ${1_000 + index}`);
      await pMap(titles, (title) => create(path, 'Folder', title), { concurrency });
      await signIn('ann', password);
      const { uid } = await create(`${path}/Part 1000`, 'Note', 'Dragged');
      await open(`/browse${path}/Part 1000`);
      const tree = page.getByRole('treegrid');
      await tree.getByRole('row', { name: 'Part 1099' }).waitFor();
      await expectGood('the first folders');
      await page.getByRole('row', { name: 'Dragged' }).dragTo(tree.getByRole('row', { name: 'Show more' }));
      await tree.getByRole('button', { name: 'Show more' }).click();
      await tree.getByRole('row', { name: 'Part 1100' }).click();
      await page.getByRole('heading', { name: 'Part 1100' }).waitFor();
      expect(await tree.getByRole('button', { name: 'Show more' }).count()).toBe(0);
      await expectGood('all of them');
      expect(await pathsOf(`ecm:uuid = '${uid}'`)).toEqual(['/Wide/Part 1000/Dragged']);
    });

    test('adds comments, replies, and replies to replies', async () => {
      const { open, signIn, expectGood, page } = await visit();
      const { uid } = await create(folder.path, 'Note', 'Discussed');
      await signIn('ann', password);
      await open(`/document/${uid}/activity`);
      const said = (words: string) =>
        page
          .locator('.comments li')
          .filter({ has: page.locator('> p', { hasText: words }) })
          .last();
      const say = async (label: string, words: string) => {
        await page.getByLabel(label, { exact: true }).last().fill(words);
        await page.getByRole('button', { name: 'Comment', exact: true }).last().click();
        await said(words).waitFor();
      };
      await say('Add a comment', 'a comment');
      await page.getByRole('button', { name: 'Reply' }).click();
      await say('Reply to ann', 'a reply');
      await said('a reply').getByRole('button', { name: 'Reply' }).click();
      await say('Reply to ann', 'another one');
      // A button that is partly scrolled out of view counts as too small.
      await page.locator('.panel').evaluate((panel) => panel.scrollTo(0, 0));
      await expectGood('the replies');
      await open(`/document/${uid}/activity`);
      await page.getByRole('button', { name: '1 reply' }).click();
      await said('a reply').waitFor();
    });

    test('suggests documents while the user types, despite a typo', async () => {
      const { uid } = await createDocument(server, { properties: { 'dc:title': 'Molybdenum prices' } });
      const { page, signIn, go, expectGood } = await visit();
      await signIn();
      await go('/search');
      await page.locator('.search-words input').fill('molbydenum pri');
      const link = page
        .getByRole('navigation', { name: 'Suggestions' })
        .getByRole('link', { name: 'Molybdenum prices' });
      await link.waitFor();
      await expectGood('the suggestions');
      await link.click();
      await until(async () => page.url().endsWith(`/document/${uid}`));
    });

    test('shows typed words immediately, and the search as GraphQL to administrators', async () => {
      const { page, signIn, go } = await visit();
      await signIn();
      await go('/search');
      const words = page.locator('.search-words input');
      await words.focus();
      await page.keyboard.type('the quick brown fox');
      expect(await words.inputValue()).toBe('the quick brown fox');
      await until(async () => page.url().endsWith('words=the+quick+brown+fox'));
      for (const [entry, shown] of [
        ['Show NXQL query', "ecm:fulltext = 'the quick brown fox*'"],
        ['Show GraphQL query', '"ecm_fulltext": "the quick brown fox*"'],
        ['Show as a curl command', "'ecm_fulltext=the quick brown fox*'"],
      ] as const) {
        await page.getByRole('button', { name: 'More search actions' }).click();
        await page.getByRole('menuitem', { name: entry }).click();
        await page.getByRole('dialog').getByText(shown).waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      }
    });
  },
);
