/** @group slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { comment } from '../rest/comments/comment-requests.ts';
import { grant, only, setAcl } from '../support/acls.ts';
import { chromiumPath, useBrowser, type Visit } from '../support/browser.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { as, createUser, password } from '../support/users.ts';

(chromiumPath ? describe : describe.skip)('Comments and the inbox in the console', () => {
  const server = useServer();
  const visit = useBrowser(server);
  let plan: DocumentEntity;

  const named = async (id: string, firstName: string, lastName: string) => {
    await createUser(server, id, ['members']);
    const properties = { firstName, lastName };
    await server.database.prisma.user.update({ where: { id }, data: { properties } });
  };

  const inboxLink = ({ page }: Visit, unread: number) =>
    page.getByRole('link', { name: unread === 0 ? /^Inbox$/ : `Inbox ${unread} unread entries` });

  beforeAll(async () => {
    await named('asmith', 'Ann', 'Smith');
    await named('bjones', 'Bob', 'Jones');
    await named('mary ann', 'Mary Ann', 'Moore');
    plan = await createDocument(server, { type: 'Note', properties: { 'dc:title': 'The plan' } });
    await setAcl(server, plan.path, [
      grant('asmith', 'ReadWrite'),
      grant('bjones', 'Read'),
      ...only('Administrator', 'Everything'),
    ]);
  });

  test('mentions people by first and last name, and says who cannot read the document', async () => {
    const ann = await visit({ viewport: { width: 1440, height: 900 } });
    const { page, signIn, open, expectGood } = ann;
    await signIn('asmith', password);
    await open(`/document/${plan.uid}/activity`);
    const field = page.getByLabel('Add a comment', { exact: true });
    await field.click();
    await page.keyboard.type('Please read, @jones bob');
    const option = page.getByRole('option', { name: /Bob Jones/ });
    await option.waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await expectGood('the suggestions');
    await page.keyboard.press('Enter');
    await until(async () => (await field.inputValue()) === 'Please read, @bjones ');
    await page.keyboard.type('and @moo');
    await page.getByRole('option', { name: /Mary Ann Moore/ }).click();
    await until(async () => (await field.inputValue()) === 'Please read, @bjones and @"mary ann" ');
    // An email address is no mention, and Escape closes the list.
    await page.keyboard.type('or x@bo and @bo');
    await option.waitFor();
    await page.keyboard.press('Escape');
    await option.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const item = page.locator('.comments li');
    await item.getByText('Please read, Bob Jones and Mary Ann Moore or x@bo and @bo').waitFor();
    await item
      .getByText('Not notified, because they cannot read the document: Mary Ann Moore', { exact: true })
      .waitFor();
    await expectGood('the comment');
    const { body } = await server.request.get(`/api/v1/id/${plan.uid}/@comment`).expect(200);
    expect(body.entries[0].text.trim()).toBe('Please read, @bjones and @"mary ann" or x@bo and @bo');
  });

  test('resolves, folds and reopens a thread', async () => {
    const { uid } = await createDocument(server, { type: 'Note', properties: { 'dc:title': 'Settled' } });
    const first = await comment(as(server, 'bjones'), uid, 'Which date?');
    await comment(as(server, 'asmith'), first.id, 'Monday');
    await comment(server.request, uid, 'Another one');
    const { page, signIn, open, expectGood } = await visit({ viewport: { width: 400, height: 800 } });
    await signIn('bjones', password);
    await open(`/document/${uid}/activity`);
    const thread = page.locator('.comments > li').filter({ hasText: 'Which date?' });
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await thread.getByText(/Resolved by Bob Jones/).waitFor();
    expect(await thread.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    await expectGood('the folded thread');
    // Readers who did not start a thread cannot resolve it.
    const other = page.locator('.comments > li').filter({ hasText: 'Another one' });
    await other.getByRole('button', { name: 'Reply' }).waitFor();
    const mayWrite = (await server.request.get(`/api/v1/id/${uid}`)).body.path;
    await setAcl(server, mayWrite, [grant('bjones', 'Read'), ...only('Administrator', 'Everything')]);
    await open(`/document/${uid}/activity`);
    await other.getByRole('button', { name: 'Reply' }).waitFor();
    expect(await other.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
    await thread.getByRole('button', { name: 'Show resolved thread of Bob Jones' }).click();
    await thread.getByRole('button', { name: '1 reply' }).click();
    await thread.getByText('Monday').waitFor();
    await thread.getByRole('button', { name: 'Reopen' }).click();
    await thread.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    expect(await page.getByText('Resolved by').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });

  test('shows unread entries in the inbox and their number, live, until they are read', async () => {
    const bob = await visit({ viewport: { width: 1440, height: 900 } });
    await bob.signIn('bjones', password);
    await server.database.prisma.user.update({
      where: { id: 'bjones' },
      data: {
        readUntil: (await server.database.prisma.logEntry.aggregate({ _max: { id: true } }))._max.id ?? 0,
      },
    });
    await bob.open('/home');
    await inboxLink(bob, 0).waitFor();
    await comment(as(server, 'asmith'), plan.uid, 'Look at this, @bjones');
    await inboxLink(bob, 1).waitFor();
    await comment(as(server, 'asmith'), plan.uid, 'and at this, @bjones');
    await inboxLink(bob, 2).waitFor();
    await inboxLink(bob, 2).click();
    const { page } = bob;
    const entries = page.getByRole('region', { name: 'Inbox' }).getByRole('listitem');
    const newest = entries.first();
    await newest.getByText('and at this, Bob Jones').waitFor();
    await newest.getByText(/Mentioned you/).waitFor();
    await bob.expectGood('the inbox');
    await newest.getByRole('button', { name: 'Mark as read: The plan' }).click();
    await inboxLink(bob, 1).waitFor();
    await entries.nth(1).getByRole('link', { name: 'The plan' }).click();
    await page.getByRole('heading', { name: 'The plan' }).waitFor();
    await inboxLink(bob, 0).waitFor();
    await comment(as(server, 'asmith'), plan.uid, 'third, @bjones');
    await inboxLink(bob, 1).click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await inboxLink(bob, 0).waitFor();
    const phone = await visit({ viewport: { width: 400, height: 800 }, locale: 'fr', colorScheme: 'dark' });
    await phone.signIn('bjones', password);
    await phone.open('/inbox');
    await phone.page
      .getByText(/Vous a mentionné/)
      .first()
      .waitFor();
    expect(await phone.page.getByText('Nouveau', { exact: true }).count()).toBe(0);
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await phone.expectGood('the inbox on a phone');
  });
});
