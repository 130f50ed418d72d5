import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import type { Services } from '../services.ts';
import { type AuthMethod, bearerOf, isJwt } from './method.ts';

/**
 * The accepted algorithms, all of which use a shared secret. All others are rejected, so that an attacker can use
 * neither the algorithm `none` nor a public key as the secret.
 */
const algorithms = ['HS256', 'HS384', 'HS512'];

const hour = 3_600;

/** The number of seconds by which the clock of the signing server can be ahead of this server's clock. */
const clockTolerance = 60;

interface JwtClaims {
  readonly username: string;
  readonly expiresAt: number;
  /** Absent if the token has no `iat`, or if its `iat` is in the future. */
  readonly issuedAt?: number;
  /** The token is valid only at and below these paths; absent if it is valid everywhere. */
  readonly pathPrefixes?: readonly string[];
}

/**
 * Returns whether a token was issued in the past. An issue time in the future is ignored: a token without `exp` expires
 * one hour after its issue time, so its signer could otherwise extend the token's lifetime at will.
 */
const isPast = (seconds: number): boolean => seconds <= Date.now() / 1000 + clockTolerance;

function claimsOf({ sub, aud, exp, iat }: JWTPayload): JwtClaims | undefined {
  const issued = iat !== undefined && isPast(iat) ? iat : undefined;
  const end = exp ?? (issued === undefined ? undefined : issued + hour);
  if (typeof sub !== 'string' || end === undefined || end * 1000 <= Date.now()) return undefined;
  return {
    username: sub,
    expiresAt: end * 1000,
    ...(issued !== undefined && { issuedAt: issued * 1000 }),
    ...(aud !== undefined && { pathPrefixes: [aud].flat() }),
  };
}

/**
 * Returns the account for which a JWT was issued. Returns null if the account does not exist, or if its credentials
 * were revoked in or after the second in which the token was issued.
 */
export async function accountOfJwt(
  db: Pick<Client, 'query'>,
  { username, issuedAt = 0 }: Pick<JwtClaims, 'username' | 'issuedAt'>,
  services: Pick<Services, 'identityProviders'>,
): Promise<Account | null> {
  const account = await accountOf(db, username, services);
  const endedAt = account?.credentialsEndedAt;
  return endedAt && issuedAt <= endedAt.getTime() ? null : account;
}

/**
 * Verifies a JWT and returns its claims. Returns undefined if the signature is wrong, or if the token has expired
 * or has no subject.
 */
export async function readJwt(secret: Uint8Array | undefined, token: string): Promise<JwtClaims | undefined> {
  if (!secret) return undefined;
  try {
    const { payload } = await jwtVerify(token, secret, { algorithms });
    return claimsOf(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

interface JwtOptions {
  readonly username: string;
  readonly seconds?: number | null | undefined;
  readonly audience?: string | null | undefined;
}

export function signJwt(secret: Uint8Array, { username, seconds, audience }: JwtOptions): Promise<string> {
  const token = new SignJWT(audience ? { aud: audience } : {})
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .setIssuer('quire')
    .setSubject(username)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + (seconds ?? hour));
  return token.sign(secret);
}

/** `Authorization: Bearer` or `?access_token=` with a JWT that was signed with JWT_SECRET (§5). */
export const jwtMethod: AuthMethod = (services) => ({
  credentialsOf: (source) => {
    const bearer = bearerOf(source);
    return bearer !== undefined && isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const claims = await readJwt(services.secrets.jwt, token);
    const account = claims && (await accountOfJwt(db, claims, services));
    return account ? { ...claims, account, credential: { kind: 'JWT' } } : undefined;
  },
});
