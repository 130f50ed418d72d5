import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../db/database.ts';
import { ReadAgain } from '../db/errors.ts';
import type { Meter } from '../db/meter.ts';
import type { Account } from '../loaders/authorities/account.ts';
import type { Credential } from '../security/principal.ts';
import type { Services } from '../services.ts';
import type { LogIn } from './log-in.ts';

export interface CredentialSource {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface AuthRequest extends CredentialSource {
  /** The path of the request, without the application context. */
  readonly path: string;
  readonly address: string;
  readonly meter: Meter;
}

export interface AuthenticatedAccount {
  readonly account: Account;
  readonly credential: Credential;
  readonly expiresAt?: number;
  /** The paths at and below which the credentials are valid; absent when they are valid everywhere. */
  readonly pathPrefixes?: readonly string[];
}

export type AuthMethod = (
  services: Pick<Services, 'secrets'>,
  logIn: LogIn,
) => {
  /** Extracts the credentials from a request. If it contains any, later methods of the chain are not tried. */
  credentialsOf(source: CredentialSource): string | undefined;
  /** The account that the credentials name, for which failures are counted. */
  accountOf?(credentials: string): string | undefined;
  /** Verifies the credentials; undefined when they are wrong. */
  authenticate(credentials: string, db: Client): Promise<AuthenticatedAccount | undefined>;
};

/**
 * Requires another read from the primary when a replica has no row of a token: the token may have been issued after
 * the last change that the replica has replayed. @throws ReadAgain
 */
export function requireReplicated({ replica }: Pick<Client, 'replica'>, row: object | null): void {
  if (replica && !row) throw new ReadAgain('the replica may lack a token that was just issued');
}

export function bearerOf({ headers, query }: CredentialSource): string | undefined {
  const [, bearer] = /^bearer (.*)$/is.exec(headers.authorization ?? '') ?? [];
  const [value] = [bearer?.trim() ?? query.access_token].flat();
  return value === undefined ? undefined : String(value);
}

/** §5: a bearer token of three parts separated by dots is a JWT; any other is an OAuth access token. */
export const isJwt = (bearer: string): boolean => bearer.split('.').length === 3;

const segments = (path: string): string[] => path.split('/').filter(Boolean);

export function isAtOrBelow(path: string, other: string): boolean {
  const own = segments(path);
  return segments(other).every((segment, index) => own[index] === segment);
}
