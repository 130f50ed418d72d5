import type { AuthMethod } from './method.ts';
import { consoleSession, createSessions } from './session.ts';

/** The cookie of the console, which begins with a password (§5). One that is over counts as none. */
export const consoleMethod: AuthMethod = ({ secrets }) => {
  const sessions = createSessions(secrets, consoleSession);
  return {
    credentialsOf: ({ headers }) => sessions.sealedOf(headers),
    authenticate: async (sealed, db) => {
      const session = await sessions.read(sealed, db);
      if (!session) return undefined;
      return { account: session.account, credential: { kind: 'password' }, expiresAt: session.until };
    },
  };
};
