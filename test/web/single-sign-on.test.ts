/** @group slow */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser, type Visit } from '../support/browser.ts';
import { turnOnSecondFactor } from '../support/second-factor.ts';
import { startServer } from '../support/server.ts';
import { describeDirectory, directoryPassword, directorySettings, useDirectory } from '../support/slapd.ts';
import { addPerson, type SsoPlace, startSsoPlace } from '../support/sso-place.ts';
import { use } from '../support/use.ts';
import { createUser, password } from '../support/users.ts';

const place: SsoPlace = use(() => startSsoPlace());
const visit = useBrowser({ listen: () => place.server.listen() });

/** Fills in the form of the provider, at which the page has arrived. */
async function enterName(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Name').fill(subject);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const signedIn = (page: Page) => page.getByRole('button', { name: /^Account: / });

async function signOut(page: Page): Promise<void> {
  await signedIn(page).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
  await page.getByRole('button', { name: 'Yes' }).click();
}

/** Removes the requests to the provider, which are no faults here. */
function forgetProvider({ faults }: Visit): void {
  const others = faults.splice(0).filter((fault) => !fault.startsWith(`foreign: ${place.provider.issuer}/`));
  faults.push(...others);
}

test('a user signs in by the button, sees the linked account, and signs out at the provider', async () => {
  const subject = addPerson('jane', {}, place);
  const visited = await visit();
  const { page, open, go, expectGood } = visited;
  await open('/');
  await expectGood('the sign-in page');
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await enterName(page, subject);
  await signedIn(page).waitFor();
  forgetProvider(visited);
  await go('/account');
  await page.getByRole('row', { name: 'Example' }).getByText(subject).waitFor();
  // The user has no password here that could be changed.
  const elsewhere =
    'You have no password on this server, but sign in with Example. Change the password there.';
  await page.getByText(elsewhere).waitFor();
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);
  await expectGood('the account');
  await signedIn(page).click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByText(elsewhere).waitFor();
  expect(await dialog.getByRole('textbox').count()).toBe(0);
  await expectGood('the dialog');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect((await page.request.get(`${place.origin}/api/v1/me`)).status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await page.getByLabel('Name').waitFor();
});

test('the browser goes straight to the only provider if passwords are off, also after signing out there', async () => {
  await using other = await startSsoPlace({}, { AUTH_CHAIN: 'oidc' });
  const subject = addPerson('only', {}, other);
  const { page } = await visit();
  await page.goto(`${other.origin}/search?words=x`);
  await enterName(page, subject);
  await signedIn(page).waitFor();
  expect(page.url()).toBe(`${other.origin}/search?words=x`);
  await signOut(page);
  await page.getByLabel('Name').waitFor();
  expect(new URL(page.url()).origin).toBe(other.provider.issuer);
});

test('the sign-in page of an application offers the provider, and continues with the consent', async () => {
  const subject = addPerson('granting', {}, place);
  const redirectUri = `${place.origin}/runningstatus`;
  await place.server.database.prisma.oAuth2Client.create({
    data: { clientId: 'app', name: 'The app', redirectUris: [redirectUri], autoGrant: false, enabled: true },
  });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: redirectUri,
    state: 'kept',
  });
  const { page, open } = await visit({ viewport: { width: 400, height: 800 } });
  await open(`/oauth2/authorize?${query}`);
  await page.getByText('Sign in to continue to The app').waitFor();
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await enterName(page, subject);
  await page.getByText('You are signed in as granting').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/runningstatus\?/);
  expect(new URL(page.url()).searchParams.get('state')).toBe('kept');
  expect(new URL(page.url()).searchParams.get('code')).toMatch(/\w/);
});

test('a user links an account with the password and a sign-in at the provider', async () => {
  const subject = addPerson('linker-elsewhere', {}, place);
  await createUser(place.server, 'linker', ['members']);
  const visited = await visit();
  const { page, signIn, open, expectGood, faults } = visited;
  await signIn('linker', password);
  await open('/account');
  await page.getByText('No linked accounts').waitFor();
  await page.getByRole('button', { name: 'Link with Example' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link with Example' });
  await dialog.getByLabel('Current password').fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('The password is wrong.').waitFor();
  expect(faults.splice(0).join()).toContain('401');
  await dialog.getByLabel('Current password').fill(password);
  await expectGood('the dialog');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await enterName(page, subject);
  await page.getByRole('row', { name: 'Example' }).getByText(subject).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
  forgetProvider(visited);
  await expectGood('the account');
});

test('an administrator sees the providers and tests one, without changing anything', async () => {
  const subject = addPerson('tested', { given_name: 'Tess' }, place);
  const visited = await visit({ viewport: { width: 400, height: 800 }, colorScheme: 'dark' });
  const { page, signIn, open, expectGood } = visited;
  await signIn();
  await open('/admin/providers');
  await page.getByText('Reachable', { exact: true }).waitFor();
  await page.getByText(place.provider.issuer, { exact: true }).waitFor();
  await page.getByRole('row', { name: 'firstName' }).getByText('given_name').waitFor();
  await expectGood();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  await page.getByRole('button', { name: 'Test sign-in' }).click();
  await enterName(page, subject);
  await page.getByRole('heading', { name: 'Example works' }).waitFor();
  await page.getByText('Tess').first().waitFor();
  await page.getByRole('link', { name: 'Back to the providers' }).click();
  await page.getByRole('heading', { name: 'Example' }).waitFor();
  expect(await place.server.database.prisma.user.count({ where: { id: 'tested' } })).toBe(0);
});

test('the page of a user shows origin and foreign properties, and links, unlinks and removes a second factor', async () => {
  const subject = addPerson('shown', { given_name: 'Sam' }, place);
  await createUser(place.server, 'other');
  await createUser(place.server, 'factor', ['administrators']);
  await turnOnSecondFactor(place.server, 'factor');
  const { page, signIn, open, go, expectGood } = await visit();
  await signIn();
  const signingIn = await place.server.request.post('/graphql').send({
    query: `mutation { createUser(user: {properties: {username: "shown", firstName: "Sam"}}) { id }
      linkIdentity(username: "shown", provider: "example", subject: "${subject}") { id } }`,
  });
  expect(signingIn.body.errors).toBeUndefined();

  await open('/admin/users');
  await page.getByRole('row', { name: 'shown' }).getByText('Example').waitFor();
  await page.getByRole('link', { name: 'shown', exact: true }).click();
  await page.getByRole('heading', { name: 'Sam' }).waitFor();
  await page.getByText('From Example').first().waitFor();
  await expectGood('the page of a user');
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'shown' });
  expect(await form.getByLabel('First name').isEditable()).toBe(false);
  expect(await form.getByLabel('Last name').isEditable()).toBe(true);
  await form.getByText('The membership in members comes from Example.').waitFor();
  await form.getByLabel('Last name').fill('Smith');
  await expectGood('the form');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Sam Smith' }).waitFor();

  await page.getByRole('button', { name: /^Unlink: Example/ }).click();
  const question = page.getByRole('dialog', { name: 'Unlink' });
  await question.getByText('All of their sessions, tokens and authorized applications end now.').waitFor();
  await question.getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('No linked accounts').waitFor();
  await page.getByText('Local', { exact: true }).waitFor();

  await go('/admin/users/other');
  await page.getByRole('button', { name: 'Link account' }).click();
  await page.getByLabel('Subject').fill('sub-of-other');
  await page.getByRole('dialog').getByRole('button', { name: 'Link account' }).click();
  await page.getByRole('row', { name: 'Example' }).getByText('sub-of-other').waitFor();

  await go('/admin/users/factor');
  await page.getByRole('button', { name: 'Remove second factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove second factor' });
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await page.getByText('Second factor removed').waitFor();
  expect(await place.server.database.prisma.secondFactor.count({ where: { userId: 'factor' } })).toBe(0);
  await go('/admin/users/Administrator');
  await page.getByText('always signs in with a password of this server').waitFor();
  await expectGood('the page of the administrator');
});

describeDirectory('A directory', () => {
  const directory = useDirectory();
  const users = { create: true, properties: { firstName: 'givenName' } };
  const server = use(() => startServer(directorySettings({ example: directory.settings({ users }) })));
  const visitServer = useBrowser({ listen: () => server.listen() });

  test('signs users in by the form of the console', async () => {
    await directory.person('formed');
    const { page, open, expectGood } = await visitServer();
    await open('/');
    await page.getByLabel('Username').fill('formed');
    await page.getByLabel('Password').fill(directoryPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn(page).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documents' }).click();
    await page.getByText('You cannot read any folder.').waitFor();
    await expectGood('the first page');
  });

  test('is linked by a user, who enters both passwords', async () => {
    await directory.person('linked-person');
    await createUser(server, 'linker', ['members']);
    const { page, signIn, open, expectGood, faults } = await visitServer({
      viewport: { width: 400, height: 800 },
    });
    await signIn('linker', password);
    await open('/account');
    await page.getByText('No linked accounts').waitFor();
    await page.getByRole('button', { name: 'Link with Example directory' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link with Example directory' });
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByLabel('Username at Example directory').fill('linked-person');
    await dialog.getByLabel('Password at Example directory').fill('wrong');
    await dialog.getByRole('button', { name: 'Link account' }).click();
    await dialog.getByText('The user name or the password is wrong at Example directory.').waitFor();
    expect(faults.splice(0).join()).toContain('401');
    await expectGood('the dialog');
    await dialog.getByLabel('Password at Example directory').fill(directoryPassword);
    await dialog.getByRole('button', { name: 'Link account' }).click();
    await page.getByText('Linked with Example directory').waitFor();
    const { subject } = await server.database.prisma.identity.findFirstOrThrow({
      where: { userId: 'linker' },
    });
    await page.getByRole('row', { name: 'Example directory' }).getByText(subject).waitFor();
    expect(await page.getByRole('button', { name: 'Link with Example directory' }).count()).toBe(0);
    await expectGood('the account');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  });

  test('is tested with the name and password of a user, and shows attributes and what they map to', async () => {
    await directory.person('tested', { givenName: 'Tess' });
    const { page, signIn, open, expectGood, faults } = await visitServer();
    await signIn();
    await open('/admin/providers');
    await page.getByText('Reachable', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Test sign-in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test sign-in' });
    await dialog.getByLabel('Username').fill('tested');
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Test sign-in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(faults.splice(0).join()).toContain('401');
    await dialog.getByLabel('Password').fill(directoryPassword);
    await dialog.getByRole('button', { name: 'Test sign-in' }).click();
    await page.getByRole('heading', { name: 'Mapped to' }).waitFor();
    await page.getByText('Tess').first().waitFor();
    await expectGood('the result');
    expect(await server.database.prisma.user.count({ where: { id: 'tested' } })).toBe(0);
  });
});
