import type { AuthMethod } from './method.ts';

function parseBasic(encoded: string): { username: string; password: string } | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `Authorization: Basic` (§5). */
export const basicMethod: AuthMethod = (_, logIn) => ({
  credentialsOf: ({ headers }) => /^basic (.*)$/is.exec(headers.authorization ?? '')?.[1]?.trim(),
  accountOf: (encoded) => parseBasic(encoded)?.username,
  authenticate: async (encoded, db) => {
    const credentials = parseBasic(encoded);
    const account = credentials && (await logIn(credentials.username, credentials.password, db));
    return account && { account, credential: { kind: 'password' } };
  },
});
