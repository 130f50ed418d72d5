import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { accountOf } from '../loaders/account.ts';
import { bearerOf, isJwt, type Method } from './method.ts';

/** Signatures with a shared secret, and nothing else: `none`, or a public key taken for a secret, is refused. */
const algorithms = ['HS256', 'HS384', 'HS512'];

/** Seconds that a token lasts which does not say, and one that we make unless told otherwise. */
const hour = 3_600;

/** Seconds by which the clock of whoever signs may be fast. */
const clockDifference = 60;

/** What a JWT says that counts (§5). */
export interface Claims {
  readonly username: string;
  /** When it ends, in milliseconds since 1970. */
  readonly until: number;
  /** Paths below one of which it counts; everywhere when absent. */
  readonly below?: readonly string[];
}

function endOf({ exp, iat }: JWTPayload): number | undefined {
  if (exp !== undefined) return exp;
  const isPast = iat !== undefined && iat <= Date.now() / 1000 + clockDifference;
  return isPast ? iat + hour : undefined; // it would else last for as long as it likes
}

function claimsOf(payload: JWTPayload): Claims | undefined {
  const { sub, aud } = payload;
  const end = endOf(payload);
  if (typeof sub !== 'string' || end === undefined || end * 1000 <= Date.now()) return undefined;
  const below = aud === undefined ? undefined : [aud].flat();
  return { username: sub, until: end * 1000, ...(below && { below }) };
}

/** What a JWT says; nothing when it is not signed with the secret, or is over, or does not say whose it is. */
export async function readJwt(secret: Uint8Array | undefined, token: string): Promise<Claims | undefined> {
  if (!secret) return undefined;
  try {
    const { payload } = await jwtVerify(token, secret, { algorithms });
    return claimsOf(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** How a JWT of ours is to be. */
export interface JwtWish {
  readonly username: string;
  /** How long it counts; an hour when absent. */
  readonly seconds?: number | null | undefined;
  /** The path at or below which it counts, `api/v1` say; everywhere when absent. */
  readonly audience?: string | null | undefined;
}

/** Signs a JWT that any server with this secret accepts. */
export function signJwt(secret: Uint8Array, { username, seconds, audience }: JwtWish): Promise<string> {
  const token = new SignJWT(audience ? { aud: audience } : {})
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .setIssuer('quire')
    .setSubject(username)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + (seconds ?? hour));
  return token.sign(secret);
}

/** `Authorization: Bearer`, or `?access_token=`, with a token that somebody who knows JWT_SECRET has signed (§5). */
export const jwt: Method = ({ secrets }) => ({
  credentialsOf: (visitor) => {
    const bearer = bearerOf(visitor);
    return bearer !== undefined && isJwt(bearer) ? bearer : undefined;
  },
  authenticate: async (token, db) => {
    const claims = await readJwt(secrets.jwt, token);
    const account = claims && (await accountOf(db, claims.username));
    return account ? { ...claims, account } : undefined;
  },
});
