import { Secret, TOTP } from 'otpauth';
import type { TestServer } from './server.ts';
import { password } from './users.ts';

/**
 * Returns the code that an authenticator app shows now, or that it showed the given number of 30-second steps ago.
 */
export const totpCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/**
 * Signs in to the console with a password. @returns the status, the body, and a `Cookie` header with the cookies that
 * the server set
 */
export async function enterPassword(
  { anonymous }: Pick<TestServer, 'anonymous'>,
  username: string,
  secret = password,
) {
  const { status, body, headers } = await anonymous.post('/login').send({ username, password: secret });
  return { status, body, cookie: cookieIn(headers) };
}

export const cookieIn = (headers: Record<string, unknown>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((each) => String(each).split(';', 1)[0] ?? '')
    .filter((each) => !each.endsWith('='))
    .join('; ');

const setUp = `mutation { prepareSecondFactor { secret uri ticket } }`;
const turnOn = `mutation ($ticket: String!, $code: String!, $password: String!) {
  enableSecondFactor(ticket: $ticket, code: $code, password: $password) }`;

/** Sends a GraphQL operation with the session of an administrator. */
export const askAs = (
  { anonymous }: Pick<TestServer, 'anonymous'>,
  cookie: string,
  query: string,
  variables: object = {},
) => anonymous.post('/graphql').set('Cookie', cookie).send({ query, variables });

/**
 * Turns on the second factor of an administrator, who can send any GraphQL operation. The next code is accepted
 * immediately.
 * @returns the secret and the recovery codes
 */
export async function turnOnSecondFactor(
  server: Pick<TestServer, 'database' | 'anonymous'>,
  username: string,
): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const { cookie } = await enterPassword(server, username);
  const prepared = (await askAs(server, cookie, setUp)).body.data.prepareSecondFactor;
  const variables = { ticket: prepared.ticket, code: totpCode(prepared.secret), password };
  const { body } = await askAs(server, cookie, turnOn, variables);
  await forgetSteps(server, username);
  return { secret: prepared.secret, codes: body.data.enableSecondFactor };
}

/** Allows the current code to be used again, as if the last code had been used long ago. */
export const forgetSteps = ({ database }: Pick<TestServer, 'database'>, userId: string) =>
  database.prisma.secondFactor.update({ where: { userId }, data: { lastStep: 0 } });
