import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../db/database.ts';
import type { Meter } from '../db/meter.ts';
import type { Account } from '../loaders/account.ts';
import type { Principal } from '../scope.ts';
import type { Secrets } from '../secrets.ts';
import type { LogIn } from './log-in.ts';

/** Where a request may bring credentials. */
export interface Bringing {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
}

/** What a request tells of who sent it. */
export interface Visitor extends Bringing {
  /** What is asked for, from the application context on: `/api/v1/…`. */
  readonly path: string;
  /** Where it comes from: failed log-ins are counted against it. */
  readonly address: string;
  /** What finding out costs is counted here. */
  readonly meter: Meter;
}

/** Whose credentials they are, and how far they reach. */
export interface Proof {
  readonly account: Account;
  /** When they end, in milliseconds since 1970. */
  readonly until?: number;
  /** Paths below one of which they count; everywhere when absent. */
  readonly below?: readonly string[];
}

/** What methods need to know of the server. */
export interface AuthServices {
  readonly secrets: Secrets;
  readonly logIn: LogIn;
  readonly principalOf: (account: Account) => Principal;
}

/** One way of saying who is calling. */
export type Method = (services: AuthServices) => {
  /** The credentials of this kind that a request brings: then no later method is asked. */
  credentialsOf(visitor: Bringing): string | undefined;
  /** Whose account they are for, as far as they tell by themselves: failures are counted for it. */
  accountOf?(credentials: string): string | undefined;
  /** Whose they are; nobody's when they are wrong. */
  authenticate(credentials: string, db: Client): Promise<Proof | undefined>;
};

/** The value of `Authorization: Bearer`, or of the query parameter that stands for it. */
export function bearerOf({ headers, query }: Bringing): string | undefined {
  const [, bearer] = /^bearer (.*)$/is.exec(headers.authorization ?? '') ?? [];
  const [value] = [bearer?.trim() ?? query.access_token].flat();
  return value === undefined ? undefined : String(value);
}

/** §5: a Bearer value of three parts divided by dots is a JWT, any other an OAuth token. */
export const isJwt = (bearer: string): boolean => bearer.split('.').length === 3;

const segments = (path: string): string[] => path.split('/').filter(Boolean);

/** Whether a path is the other one, or lies below it; slashes at their ends do not matter. */
export function isAtOrBelow(path: string, other: string): boolean {
  const own = segments(path);
  return segments(other).every((segment, index) => own[index] === segment);
}
