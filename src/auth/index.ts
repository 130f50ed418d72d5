import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../db/database.ts';
import { translate } from '../db/errors.ts';
import { Unauthenticated } from '../errors.ts';
import type { User } from '../generated/prisma/client.ts';
import type { Principal } from '../scope.ts';
import { basic } from './basic.ts';

/** What a method needs to know of the server. */
export interface AuthServices {
  readonly database: Database;
  readonly principalOf: (user: User) => Principal;
}

/** One way of saying who is calling; `isPresent` and `authenticate` both look at the headers. */
export type Method = (services: AuthServices) => {
  /** Whether the request brings credentials of this kind: then no later method is asked. */
  isPresent(headers: IncomingHttpHeaders): boolean;
  /** Whose they are; nobody's when they are wrong. */
  authenticate(headers: IncomingHttpHeaders): Promise<Principal | undefined>;
};

/** §5: the methods in the order they are asked. */
const methods: readonly Method[] = [basic];

export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Principal>;

/**
 * The authentication chain: the first method whose credentials are present decides.
 * @throws Unauthenticated when there are none, or they are wrong; the message does not say which part was.
 */
export function createChain(services: AuthServices): Authenticate {
  const chain = methods.map((method) => method(services));
  return async (headers) => {
    const method = chain.find(({ isPresent }) => isPresent(headers));
    if (!method) throw new Unauthenticated('authentication is required');
    let principal: Principal | undefined;
    try {
      principal = await method.authenticate(headers);
    } catch (error) {
      throw translate(error);
    }
    if (!principal) throw new Unauthenticated('the credentials are not valid');
    return principal;
  };
}
