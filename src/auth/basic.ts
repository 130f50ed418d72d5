import { accountOf } from '../loaders/account.ts';
import { verifyPassword } from '../store/passwords.ts';
import type { Method } from './index.ts';
import { createVerified } from './verified.ts';

/** `Authorization: Basic` (§5): name and password in Base64 of UTF-8, divided by the first colon. */
function parseBasic(encoded: string): { username: string; password: string } | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Name and password with every request (§5). */
export const basic: Method = ({ database }) => {
  const verified = createVerified();
  return {
    credentialsOf: ({ authorization }) => /^basic (.*)$/is.exec(authorization ?? '')?.[1]?.trim(),
    authenticate: async (encoded) => {
      const credentials = parseBasic(encoded);
      if (!credentials) return undefined;
      const { username, password } = credentials;
      const user = await accountOf(database, username);
      const stored = user?.passwordHash;
      if (stored && verified.has(stored, password)) return { user };
      if (!(await verifyPassword(stored, password)) || !user || !stored) return undefined;
      verified.add(stored, password);
      return { user };
    },
  };
};
