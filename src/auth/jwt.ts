import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Client } from '../db/database.ts';
import { type Account, accountOf } from '../loaders/authorities/account.ts';
import { type AuthMethod, bearerOf, isJwt } from './method.ts';

/** Shared secrets only: the algorithm `none`, or a public key passed off as the secret, must be refused. */
const algorithms = ['HS256', 'HS384', 'HS512'];

const hour = 3_600;

/** The clock of the signing server may be fast by so many seconds. */
const clockDifference = 60;

interface JwtClaims {
  readonly username: string;
  readonly expiresAt: number;
  /** Absent when the signer does not say, or says that it is to come. */
  readonly issuedAt?: number;
  /** The paths at and below which it is valid; all when absent. */
  readonly pathPrefixes?: readonly string[];
}

/** An `iat` in the future would make the token last for as long as its signer likes. */
const isPast = (seconds: number): boolean => seconds <= Date.now() / 1000 + clockDifference;

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

/** Null also when the user's credentials ended after the token was issued, or in the same second. */
export async function accountOfJwt(
  db: Pick<Client, 'query'>,
  { username, issuedAt = 0 }: Pick<JwtClaims, 'username' | 'issuedAt'>,
): Promise<Account | null> {
  const account = await accountOf(db, username);
  const endedAt = account?.credentialsEndedAt;
  return endedAt && issuedAt <= endedAt.getTime() ? null : account;
}

/** Undefined when the signature is wrong, or the token has expired or has no subject. */
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

/** `Authorization: Bearer`, or `?access_token=`, with a token signed with JWT_SECRET (§5). */
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
