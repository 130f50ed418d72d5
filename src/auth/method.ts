import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../db/database.ts';
import { ReadAgain } from '../db/errors.ts';
import type { Meter } from '../db/meter.ts';
import type { Credential } from '../security/principal.ts';
import type { Services } from '../services.ts';
import type { LoggedInAccount, LogIn } from './log-in.ts';

export interface CredentialSource {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface AuthRequest extends CredentialSource {
  /** The path of the request, relative to the application context. */
  readonly path: string;
  readonly address: string;
  readonly meter: Meter;
}

export interface AuthenticatedAccount {
  readonly account: LoggedInAccount;
  readonly credential: Credential;
  readonly expiresAt?: number;
  /** The credentials are valid only at and below these paths; absent if they are valid everywhere. */
  readonly pathPrefixes?: readonly string[];
}

/** The services that methods use. */
export type AuthServices = Pick<Services, 'config' | 'identityProviders' | 'secrets'>;

export type AuthMethod = (
  services: AuthServices,
  logIn: LogIn,
) => {
  /**
   * Extracts the credentials for this method from a request. If there are any, later methods in the chain are not
   * tried.
   */
  credentialsOf(source: CredentialSource): string | undefined;
  /** Returns the user name contained in the credentials. Failed attempts are counted for this account. */
  accountOf?(credentials: string): string | undefined;
  /** Verifies the credentials. Returns undefined if they are wrong. */
  authenticate(credentials: string, db: Client): Promise<AuthenticatedAccount | undefined>;
};

/**
 * If a replica has no row for a token, repeats the read on the primary, because the token may have been issued after
 * the last change that the replica has replayed.
 * @throws ReadAgain
 */
export function requireReplicated({ replica }: Pick<Client, 'replica'>, row: object | null): void {
  if (replica && !row) throw new ReadAgain('the replica may lack a token that was just issued');
}

export function bearerOf({ headers, query }: CredentialSource): string | undefined {
  const [, bearer] = /^bearer (.*)$/is.exec(headers.authorization ?? '') ?? [];
  const [value] = [bearer?.trim() ?? query.access_token].flat();
  return value === undefined ? undefined : String(value);
}

/**
 * §5: returns whether a bearer token is a JWT, which has three parts separated by dots. Any other bearer token is an
 * OAuth access token.
 */
export const isJwt = (bearer: string): boolean => bearer.split('.').length === 3;

const segments = (path: string): string[] => path.split('/').filter(Boolean);

export function isAtOrBelow(path: string, other: string): boolean {
  const own = segments(path);
  return segments(other).every((segment, index) => own[index] === segment);
}
