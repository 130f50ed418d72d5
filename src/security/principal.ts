import { Forbidden } from '../errors.ts';

/**
 * How a request was authenticated (§5). The `id` of a token is the id of its row; `session` is the id of the console
 * session that was started with a password. The `application` of a token is the name of the program that uses it.
 */
export type Credential =
  | { readonly kind: 'JWT' | 'guest session' | 'access token of a provider' }
  | { readonly kind: 'password' | 'sign-in at a provider'; readonly session?: string }
  | { readonly kind: 'login token'; readonly id: string; readonly application: string }
  | { readonly kind: 'OAuth token'; readonly id: number; readonly application: string };

/** An authenticated user. */
export interface Principal {
  readonly id: string;
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
  /** The credential of the request; absent if the server itself is acting. */
  readonly credential?: Credential;
  /** The time at which the user's credentials had last been revoked when this credential was accepted. */
  readonly endedBefore?: Date | null;
}

/** The group whose members have all permissions. */
export const administrators = 'administrators';

/** The group whose members can edit the entries of directories, and all users and groups except administrators. */
export const powerUsers = 'powerusers';

/**
 * Returns a function that creates principals. @param adminUsername the user who is always an administrator
 * (ADMIN_USERNAME)
 */
export const principals =
  (adminUsername: string) =>
  ({ id, groups }: Pick<Principal, 'id' | 'groups'>): Principal => ({
    id,
    groups,
    isAdministrator: id === adminUsername || groups.includes(administrators),
  });

/** Returns a principal with all permissions, which the server uses when it acts on behalf of a user. */
export const administrator = (id: string): Principal => ({
  id,
  groups: [administrators],
  isAdministrator: true,
});

type Caller = Pick<Principal, 'id' | 'isAdministrator'>;

/**
 * Requires that the user is an administrator.
 * @param action a verb phrase for the message, such as "see webhooks".
 * @throws Forbidden
 */
export function requireAdministrator({ id, isAdministrator }: Caller, action = 'do this'): void {
  if (!isAdministrator) throw new Forbidden(`Only administrators can ${action}; ${id} is not one.`);
}
