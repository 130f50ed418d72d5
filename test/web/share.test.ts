/** @group slow */
import { expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser.ts';
import { atId, createDocument } from '../support/documents.ts';
import { mailsOf } from '../support/mails.ts';
import { useServer } from '../support/server.ts';
import { createGroup, createUser, password } from '../support/users.ts';

const server = useServer();
const { request } = server;
const visit = useBrowser(server);

async function folderWithFile(title: string) {
  const folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': title } });
  const content = { content: 'The words of the plan.', name: 'plan.txt', 'mime-type': 'text/plain' };
  const properties = { 'dc:title': 'The plan', 'file:content': content };
  const file = await createDocument(server, { parent: folder.path, properties });
  return { folder, file };
}

const tokenOf = async (id: string, link: object): Promise<string> => {
  const { body } = await request.post(`${atId(id)}/@share`).send({ 'entity-type': 'shareLink', ...link });
  return String(body.url).split('#')[1] ?? '';
};

test('a link opens a folder, its files and their comments, after its password', async () => {
  const { folder } = await folderWithFile('Plans');
  const token = await tokenOf(folder.uid, { mode: 'comment', password: 'a secret' });
  const { page, open, faults } = await visit({ viewport: { width: 400, height: 800 } });
  await open(`/share/#${token}`);
  expect(faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  await page.getByLabel('Password').fill('a secret');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
  expect(page.url()).not.toContain(token);
  await page.getByRole('link', { name: 'The plan' }).click();
  await page.frameLocator('iframe').getByText('The words of the plan.').waitFor();
  await page.getByLabel('Add a comment').fill('Well done');
  await page.getByRole('button', { name: 'Comment' }).click();
  await page.getByText('Well done').last().waitFor();
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('link', { name: 'The plan' }).waitFor();
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
});

test('a guest signs in with a code, and uploads a file', async () => {
  const { folder } = await folderWithFile('Inbox');
  for (const permission of ['Read', 'AddChildren'])
    await request
      .post(`${atId(folder.uid)}/@acl`)
      .send({
        username: 'guest@example.org',
        permission,
        end: new Date(Date.now() + 3_600_000).toISOString(),
      })
      .expect(201);
  const { page, open, faults, expectGood } = await visit({ viewport: { width: 400, height: 800 } });
  const expectNarrow = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  await open('/share/');
  faults.splice(0); // without a session, what is shared is answered with 401
  await expectGood();
  await expectNarrow();
  await page.getByLabel('Email address').fill('guest@example.org');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').waitFor();
  const [mail] = await mailsOf(server);
  await page.getByLabel('Verification code').fill(/\b\d{8}\b/.exec(mail?.text ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Inbox' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles({ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('sent') });
  await page.getByRole('link', { name: 'sent.txt' }).waitFor();
  await expectGood();
  await expectNarrow();
});

test('the permissions of a document list its links, and create and delete them', async () => {
  const { folder } = await folderWithFile('Shared folder');
  const { page, signIn, open, expectGood } = await visit();
  await signIn();
  await open(`/document/${folder.uid}/permissions`);
  await page.getByText('No sharing links').waitFor();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.locator('[role=dialog] .select:focus').getByText('View', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByText(/\/share\/#[\w-]{32}/).waitFor();
  await expectGood();
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: /^Delete link: View/ }).click();
  const question = page.getByRole('dialog', { name: 'Delete link' });
  await question.getByText('stops working at once').waitFor();
  await question.getByRole('button', { name: 'Delete link' }).click();
  await page.getByText('No sharing links').waitFor();
});

test('a guest is invited on the page of a document, and administrators and sharers revoke links and guests', async () => {
  const { folder } = await folderWithFile('Invited to');
  await createUser(server, 'sharer', ['members']);
  await request
    .post(`${atId(folder.uid)}/@acl`)
    .send({ username: 'sharer', permission: 'Everything' })
    .expect(201);
  await tokenOf(folder.uid, { mode: 'read', password: 'a secret' });
  const { page, signIn, open, expectGood } = await visit({ colorScheme: 'dark' });
  await signIn('sharer', password);
  await open(`/document/${folder.uid}/permissions`);
  await page.getByRole('button', { name: 'Invite guest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite guest' });
  await dialog.getByLabel('Email address').fill('invited@example.org');
  await dialog.getByRole('button', { name: /The guest can/ }).click();
  await page.getByRole('option', { name: 'View and comment' }).click();
  await expectGood('the dialog');
  // The invitation is one request and thus one transaction, which cannot grant only a part of the permissions.
  const writes: string[] = [];
  page.on('request', (sent) => {
    if (sent.postData()?.includes('addAce')) writes.push(sent.url());
  });
  await dialog.getByRole('button', { name: 'Invite guest' }).click();
  await page.getByText('invited@example.org has been invited').waitFor();
  expect(writes).toHaveLength(1);
  const { body: granted } = await request.get(`${atId(folder.uid)}/@acl`);
  expect(JSON.stringify(granted)).toMatch(/"Comment".*"Read"|"Read".*"Comment"/);
  const [mail] = await mailsOf(server);
  expect(mail).toMatchObject({ to: ['invited@example.org'], text: expect.stringContaining('/share/') });

  // Sharers see their own guests only; the link is the administrator's.
  await open('/account');
  const rowsOf = () => page.getByRole('row', { name: 'Invited to' });
  await rowsOf().getByText('invited@example.org').waitFor();
  expect(await rowsOf().count()).toBe(1);

  const admin = await visit({ viewport: { width: 400, height: 800 } });
  await admin.signIn();
  await admin.open('/admin/shares');
  const row = admin.page.getByRole('row', { name: 'Invited to' });
  await row.getByText('Anyone with the link').waitFor();
  expect(await row.count()).toBe(2);
  await admin.expectGood('the list');
  expect(await admin.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  for (const who of ['invited@example.org', 'Anyone with the link']) {
    await row.getByRole('button', { name: `Revoke: ${who}` }).click();
    const question = admin.page.getByRole('dialog', { name: 'Revoke' });
    await question.getByText(`${who} can no longer open “Invited to”.`).waitFor();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await question.waitFor({ state: 'detached' });
  }
  await row.first().waitFor({ state: 'detached' });
  const { body: acls } = await request.get(`${atId(folder.uid)}/@acl`);
  expect(JSON.stringify(acls)).not.toMatch(/invited@|link\.invalid/);
});

test('the share dialog grants people and groups a permission until a date, mails a message, and creates a link', async () => {
  const { folder } = await folderWithFile('Contracts');
  await createUser(server, 'partner');
  await createGroup(server, 'partners');
  await createUser(server, 'member', ['partners']);
  for (const id of ['partner', 'member'])
    await server.database.prisma.user.update({
      where: { id },
      data: { properties: { email: `${id}@example.org`, firstName: 'Pat', lastName: id } },
    });
  const { page, signIn, open, expectGood } = await visit({ viewport: { width: 400, height: 900 } });
  await signIn();
  await open(`/document/${folder.uid}/permissions`);
  const share = page.getByRole('button', { name: 'Share' });
  await share.click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const who = dialog.getByRole('combobox', { name: 'User or group' });
  // The first field has the focus, but its list does not hide the other fields until it is asked for.
  await dialog.locator('input[role=combobox]:focus').waitFor();
  expect(await who.getAttribute('aria-expanded')).toBe('false');
  await who.click();
  await page.getByRole('listbox').waitFor();
  for (const [typed, option] of [
    ['partner pat', 'Pat partner'],
    ['partners', 'partners'],
  ] as const) {
    await who.fill(typed);
    await page.getByRole('option', { name: option }).first().click();
    await dialog.locator('.chip', { hasText: option }).waitFor();
  }
  await dialog
    .getByRole('button', { name: /^Read|Permission/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'Read and write' }).click();
  await dialog.getByLabel('Expiration date').fill('2190-06-30');
  await dialog.getByLabel('Message').fill('Please sign\nby Friday.');
  await expectGood('the share dialog');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Shared with Pat partner, partners').waitFor();
  await page.getByRole('row').getByTitle('Pat partner (partner)').waitFor();
  const { body } = await request.get(`${atId(folder.uid)}/@acl`).expect(200);
  for (const username of ['partner', 'partners'])
    expect(body.acl[0].ace).toContainEqual(
      expect.objectContaining({
        username,
        permission: 'ReadWrite',
        end: expect.stringMatching(/^2190-06-30/),
      }),
    );
  const mails = (await mailsOf(server)).filter(({ text }) => text?.includes('Contracts'));
  expect(mails.map(({ to }) => to[0]).sort()).toEqual(['member@example.org', 'partner@example.org']);
  for (const { text } of mails) expect(text).toContain('> Please sign\n> by Friday.');

  await share.click();
  await dialog.getByRole('button', { name: 'Create a link instead' }).click();
  const form = page.getByRole('dialog', { name: 'Create link' });
  await form.getByLabel('Expires').fill('2190-06-30');
  await form.getByRole('button', { name: 'Create link' }).click();
  await page.getByText(/\/share\/#/).waitFor();
  await page.getByRole('button', { name: 'Close' }).last().click();
  const { body: links } = await request.get(`${atId(folder.uid)}/@share`).expect(200);
  expect(links.entries).toMatchObject([{ mode: 'read', end: expect.stringMatching(/^2190-06-30/) }]);
});
