import { type Authentication, createAuthentication, sharedLoginAttempts } from '../../src/auth/index.ts';
import type { AuthRequest } from '../../src/auth/method.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { newMeter } from '../../src/db/meter.ts';
import { createSecrets, type Secrets } from '../../src/secrets.ts';
import { createLoginAttempts, type LoginAttempts } from '../../src/security/login-attempts.ts';
import type { Journal } from '../../src/services.ts';

export const jwtSecret = 'a secret that is long enough for every algorithm there is, which is 64 bytes';

/** Secrets for tests without a server. */
export const secrets: Secrets = createSecrets('a key that only tests use', jwtSecret);

/** Login attempts for tests without a server; the limit is never reached. */
export const attempts: LoginAttempts = createLoginAttempts(1_000_000);

const config = readConfig({});

/** A journal that discards all events. */
export const journal: Journal = {
  loggedIn: () => {},
  loginFailed: () => {},
  loggedOut: () => {},
  downloaded: () => {},
  flush: async () => {},
  close: async () => {},
};

/** An authentication chain over a database, with caches of its own like those of another process. */
export const authenticationOver = (database: Database): Authentication =>
  createAuthentication({
    database,
    secrets,
    attempts: sharedLoginAttempts(config, database, journal),
    config,
    journal,
  });

/** A request with some headers and otherwise default values. */
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
