/** @group slow */
import { expect, test } from '@jest/globals';
import { useBrowser } from '../support/browser.ts';
import { forgetSteps, totpCode } from '../support/second-factor.ts';
import { useServer } from '../support/server.ts';
import { createUser, password } from '../support/users.ts';

const server = useServer();
const visit = useBrowser(server);

test('a user turns on a second factor, signs in with codes, creates an app password, and ends a session', async () => {
  await createUser(server, 'ann', ['members']);
  await server.anonymous.post('/login').set('User-Agent', 'curl/8.5.0').send({ username: 'ann', password });
  const { page, signIn, open, expectGood, faults } = await visit();
  await signIn('ann', password);
  await open('/account');
  await expectGood();
  await page.getByRole('button', { name: 'End session: curl' }).click();
  await page.getByText('Session ended').waitFor();
  expect(await server.database.prisma.session.count({ where: { userId: 'ann' } })).toBe(1);

  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await expectGood('the dialog with the QR code');
  const secret = ((await page.locator('pre.code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret));
  await page.getByRole('button', { name: 'Turn on second factor' }).click();
  const recoveryCodes = ((await page.locator('pre.code').filter({ hasText: '-' }).textContent()) ?? '').split(
    '\n',
  );
  expect(recoveryCodes).toHaveLength(10);
  faults.splice(0); // the session has ended, so that reloading the data is answered with 401
  await forgetSteps(server, 'ann');
  await page.getByRole('button', { name: 'Close' }).last().click();

  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Code').fill(totpCode(secret));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  faults.splice(0);

  await open('/account');
  await page.getByText('Unused recovery codes: 10').waitFor();
  await page.getByRole('button', { name: 'New app password' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Phone');
  await page.getByRole('button', { name: 'Create' }).click();
  const token = (await page.locator('pre.code').textContent()) ?? '';
  await server.anonymous.get('/api/v1/me').auth('ann', token).expect(200);
  await server.anonymous.get('/api/v1/me').auth('ann', password).expect(401);
  await expectGood();
});
