import { type Authentication, createAuthentication, sharedLoginAttempts } from '../../src/auth/index.ts';
import type { AuthRequest } from '../../src/auth/method.ts';
import { createOidcClients } from '../../src/auth/oidc/clients.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { newMeter } from '../../src/db/meter.ts';
import { createSecrets, type Secrets } from '../../src/secrets.ts';
import { createLoginAttempts, type LoginAttempts } from '../../src/security/login-attempts.ts';
import type { Journal } from '../../src/services.ts';

export const jwtSecret = 'a secret with more than 64 bytes, which is long enough for every algorithm';

/** Secrets for tests that run without a server. */
export const secrets: Secrets = createSecrets('a key that only tests use', jwtSecret);

/** Log-in attempts for tests that run without a server. The limit is so high that it is never reached. */
export const attempts: LoginAttempts = createLoginAttempts(1_000_000);

const config = readConfig({});

/** A journal that discards all events. */
export const journal: Journal = {
  loggedIn: () => {},
  loginFailed: () => {},
  loggedOut: () => {},
  viewedAs: () => {},
  downloaded: () => {},
  used: () => {},
  flush: async () => {},
  close: async () => {},
};

/**
 * Creates an authentication chain for a database. Like the chain of another process, it has separate caches.
 */
export const authenticationOver = (database: Database): Authentication =>
  createAuthentication(
    {
      database,
      secrets,
      attempts: sharedLoginAttempts(config, database, journal),
      config,
      identityProviders: [],
      journal,
    },
    createOidcClients([]),
  );

/** Returns a request with the given headers and default values for everything else. */
export const visitor = (headers: AuthRequest['headers'], more: Partial<AuthRequest> = {}): AuthRequest => ({
  headers,
  query: {},
  path: '/api/v1/path/',
  address: '192.0.2.1',
  meter: newMeter(),
  ...more,
});

export const basicHeader = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
