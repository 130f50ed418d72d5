import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../db/database.ts';
import { translate } from '../db/errors.ts';
import { remember } from '../db/remembered.ts';
import { Unauthenticated } from '../errors.ts';
import type { Account } from '../loaders/account.ts';
import type { Principal } from '../scope.ts';
import { basic } from './basic.ts';
import { keyedDigest } from './digest.ts';

/** What a method needs to know of the server. */
export interface AuthServices {
  readonly database: Database;
  readonly principalOf: (account: Account) => Principal;
}

/** Whose credentials they are. */
export interface Proof {
  readonly user: Account;
}

/** One way of saying who is calling. */
export type Method = (services: AuthServices) => {
  /** The credentials of this kind that a request brings: then no later method is asked. */
  credentialsOf(headers: IncomingHttpHeaders): string | undefined;
  /** Whose they are; nobody's when they are wrong. */
  authenticate(credentials: string): Promise<Proof | undefined>;
};

/** §5: the methods in the order they are asked. */
const methods = { basic } as const satisfies Record<string, Method>;

export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Principal>;

/** Callers whose credentials were right of late. */
const remembered = { size: 10_000, lifetime: 60_000 };

/**
 * The authentication chain: the first method whose credentials are present decides.
 * @throws Unauthenticated when there are none, or they are wrong; the message does not say which part was.
 */
export function createChain(services: AuthServices): Authenticate {
  const chain = Object.entries(methods).map(([name, method]) => ({ name, ...method(services) }));
  const principals = remember<Principal>(services.database, 'principals', remembered);
  const digest = keyedDigest();
  return async (headers) => {
    for (const { name, credentialsOf, authenticate } of chain) {
      const credentials = credentialsOf(headers);
      if (credentials === undefined) continue;
      const principal = await principals
        .find(digest([name, credentials]), async () => {
          const proof = await authenticate(credentials);
          return proof && services.principalOf(proof.user);
        })
        .catch((error: unknown) => {
          throw translate(error);
        });
      if (!principal) throw new Unauthenticated('the credentials are not valid');
      return principal;
    }
    throw new Unauthenticated('authentication is required');
  };
}
