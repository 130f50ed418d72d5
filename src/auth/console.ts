import { findSession } from '../loaders/tokens/sessions.ts';
import { type AuthMethod, requireReplicated } from './method.ts';
import { secondStepOf } from './second-factor.ts';
import { consoleSession, createSessions } from './session.ts';

/**
 * The console's session cookie, which is set at sign-in (§5). An expired cookie is ignored. The session must still be
 * stored, so that users can end their sessions.
 */
export const consoleMethod: AuthMethod = (services) => {
  const sessions = createSessions(services, consoleSession);
  return {
    credentialsOf: ({ headers }) => sessions.sealedOf(headers),
    authenticate: async (sealed, db) => {
      const session = await sessions.read(sealed, db);
      if (session?.id === undefined) return undefined;
      const { account, until, id, identitySession } = session;
      const row = await findSession(db, id);
      requireReplicated(db, row);
      // Users who have joined a group that requires a second factor must sign in again and set one up. Sign-ins with an
      // identity provider are exempt, because the provider checks its own factors.
      const isSetupNeeded =
        identitySession === undefined && secondStepOf(services.config, account) === 'setup';
      if (row?.userId !== account.id || isSetupNeeded) return undefined;
      const kind = identitySession === undefined ? 'password' : 'sign-in at a provider';
      return { account, credential: { kind, session: id }, expiresAt: until };
    },
  };
};
