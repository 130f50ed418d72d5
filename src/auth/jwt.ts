import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { type AuthMethod, bearerOf, isJwt } from './method.ts';

/**
 * The accepted algorithms, all with a shared secret. Others are refused, so that an attacker can use neither the
 * algorithm `none` nor a public key in place of the secret.
 */
const algorithms = ['HS256', 'HS384', 'HS512'];

const hour = 3_600;

/** Seconds by which the clock of the signing server can be ahead. */
const clockTolerance = 60;

interface JwtClaims {
  readonly username: string;
  readonly expiresAt: number;
  /** Absent when the token has no `iat`, or one in the future. */
  readonly issuedAt?: number;
  /** The paths at and below which the token is valid; absent when it is valid everywhere. */
  readonly pathPrefixes?: readonly string[];
}

/**
 * Whether a time of issue is in the past. One in the future is ignored: a token without `exp` expires an hour after it,
 * so its signer could make it last arbitrarily long.
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
 * Returns the account for which a JWT was issued; null when it does not exist, or its credentials were revoked after
 * the token was issued or in the same second.
 */
export async function accountOfJwt(
  db: Pick<Client, 'query'>,
  { username, issuedAt = 0 }: Pick<JwtClaims, 'username' | 'issuedAt'>,
): Promise<Account | null> {
  const account = await accountOf(db, username);
  const endedAt = account?.credentialsEndedAt;
  return endedAt && issuedAt <= endedAt.getTime() ? null : account;
}

/** Verifies a JWT and returns its claims; undefined when the signature is wrong, or it has expired or has no subject. */
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

/** `Authorization: Bearer` or `?access_token=` with a JWT that is signed with JWT_SECRET (§5). */
export const jwtMethod: AuthMethod = ({ secrets }) => ({
  credentialsOf: (source) => {
    const bearer = bearerOf(source);
    return bearer !== undefined && isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const claims = await readJwt(secrets.jwt, token);
    const account = claims && (await accountOfJwt(db, claims));
    return account ? { ...claims, account, credential: { kind: 'JWT' } } : undefined;
  },
});
