import type { Method } from './index.ts';
import { verifyPassword } from './passwords.ts';
import { createVerified } from './verified.ts';

/** `Authorization: Basic` (§5): name and password in Base64 of UTF-8, divided by the first colon. */
function parseBasic(authorization: string): { username: string; password: string } | undefined {
  const text = Buffer.from(authorization.slice('basic '.length).trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

export const basic: Method = ({ database, principalOf }) => {
  const verified = createVerified();
  return {
    isPresent: ({ authorization }) => /^basic /i.test(authorization ?? ''),
    authenticate: async ({ authorization = '' }) => {
      const credentials = parseBasic(authorization);
      if (!credentials) return undefined;
      const { username, password } = credentials;
      const known = verified.get(username, password);
      if (known) return known;
      const user = await database.prisma.user.findUnique({ where: { id: username } });
      if (!(await verifyPassword(user?.passwordHash, password)) || !user) return undefined;
      const principal = principalOf(user);
      verified.set(username, password, principal);
      return principal;
    },
  };
};
