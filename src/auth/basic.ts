import type { Client } from '../db/database.ts';
import { accountOf } from '../loaders/authorities/account.ts';
import { findLoginToken, loginTokenOf } from '../loaders/tokens/login-tokens.ts';
import { isUuid } from '../model/names.ts';
import {
  type AuthenticatedAccount,
  type AuthMethod,
  type AuthServices,
  requireReplicated,
} from './method.ts';
import { requirePasswordSuffices } from './second-factor.ts';

function parseBasic(encoded: string): { username: string; password: string } | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Returns the account whose login token was sent instead of the password. Clients that support only Basic
 * authentication use login tokens as app passwords.
 */
async function byAppPassword(
  services: AuthServices,
  { username, password }: { readonly username: string; readonly password: string },
  db: Client,
): Promise<AuthenticatedAccount | undefined> {
  if (!isUuid(password)) return undefined;
  const row = await findLoginToken(db, password);
  requireReplicated(db, row);
  const account = row?.userId === username ? await accountOf(db, username, services) : null;
  return row && account ? { account, credential: loginTokenOf(row) } : undefined;
}

/**
 * `Authorization: Basic` (§5) with the password or, if the chain accepts login tokens, with a login token. The password
 * of an account with a second factor is rejected, because Basic authentication cannot transmit a code.
 */
export const basicMethod: AuthMethod = (services, logIn) => ({
  credentialsOf: ({ headers }) => /^basic (.*)$/is.exec(headers.authorization ?? '')?.[1]?.trim(),
  accountOf: (encoded) => parseBasic(encoded)?.username,
  authenticate: async (encoded, db) => {
    const credentials = parseBasic(encoded);
    if (!credentials) return undefined;
    const { config } = services;
    const takesTokens = config.AUTH_CHAIN.includes('token');
    const owner = takesTokens ? await byAppPassword(services, credentials, db) : undefined;
    if (owner) return owner;
    const account = await logIn({ ...credentials, isRepeated: true }, db);
    if (account) requirePasswordSuffices(config, account);
    return account && { account, credential: { kind: 'password' } };
  },
});
