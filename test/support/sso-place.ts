import { identityFile, startOidcProvider, type TestProvider, WebVisitor } from './oidc-provider.ts';
import { startServer, type TestServer } from './server.ts';

/** An identity provider, and a Quire server whose IDENTITY_FILE calls it `example`. */
export interface SsoPlace extends AsyncDisposable {
  readonly provider: TestProvider;
  readonly server: TestServer;
  readonly origin: string;
}

/**
 * Rules that create users when they first sign in, and that take the first name, the email address and the membership
 * in `members` from the provider's claims.
 */
export const userRules = {
  create: true,
  properties: { firstName: 'given_name', email: 'email' },
  groups: [{ claim: 'groups', values: ['staff'], group: 'members' }],
};

/**
 * Starts an identity provider and a server that uses it.
 * @param settings additional settings for the provider in IDENTITY_FILE
 * @param more additional settings for the server
 */
export async function startSsoPlace(
  settings: object = {},
  more: Record<string, string> = {},
): Promise<SsoPlace> {
  const provider = await startOidcProvider();
  const file = identityFile({ example: provider.settings({ users: userRules, ...settings }) });
  const server = await startServer({ ...file, ...more });
  const origin = `http://127.0.0.1:${await server.listen()}`;
  await provider.allow(origin);
  const stop = async () => {
    await server.stop();
    await provider.stop();
  };
  return { provider, server, origin, [Symbol.asyncDispose]: stop };
}

/** Adds a user to an identity provider. @returns the user's subject identifier (`sub`) */
export function addPerson(
  name: string,
  claims: object,
  { provider }: { readonly provider: Pick<TestProvider, 'users'> },
): string {
  const subject = `sub-${name}`;
  provider.users.set(subject, {
    preferred_username: name,
    given_name: 'Given',
    email: `${name}@example.org`,
    email_verified: true,
    groups: ['staff'],
    ...claims,
  });
  return subject;
}

interface Me {
  readonly status: number;
  readonly body: { readonly id?: string; readonly properties?: Record<string, unknown> };
}

/** Asks the server which user a browser is signed in as. */
export async function whoIs(visitor: WebVisitor, { origin }: Pick<SsoPlace, 'origin'>): Promise<Me> {
  const response = await visitor.fetch(`${origin}/api/v1/me`, { headers: { accept: 'application/json' } });
  return { status: response.status, body: (await response.json()) as Me['body'] };
}

/** Signs in at the identity provider, by default with a new browser. */
export async function signInAt(
  { origin }: Pick<SsoPlace, 'origin'>,
  login: string,
  visitor: WebVisitor = new WebVisitor(),
) {
  const { response, address } = await visitor.signIn(`${origin}/sso/example`, login);
  return { visitor, status: response.status, text: await response.text(), address };
}
