import type { AuthMethod } from './method.ts';
import { consoleSession, createSessions } from './session.ts';

/** The session cookie of the console, which a log-in with a password sets (§5). An expired cookie counts as absent. */
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
