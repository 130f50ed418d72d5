import { Forbidden } from '../errors.ts';

/** The credential with which a request was authenticated (§5). The `id` of a token is that of its row. */
export type Credential =
  | { readonly kind: 'password' | 'JWT' }
  | { readonly kind: 'login token'; readonly id: string }
  | { readonly kind: 'OAuth token'; readonly id: number };

/** An authenticated user. */
export interface Principal {
  readonly id: string;
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
  /** The credential of the request; absent if the server itself acts. */
  readonly credential?: Credential;
  /** The time at which credentials of the user were last revoked before this one was accepted. */
  readonly endedBefore?: Date | null;
}

/** The group whose members have all permissions. */
export const administrators = 'administrators';

/** The group whose members can edit the entries of directories, and all users and groups except administrators. */
export const powerUsers = 'powerusers';

/** Returns a function that makes principals. @param chief the user who is always an administrator (ADMIN_USERNAME). */
export const principals =
  (chief: string) =>
  ({ id, groups }: Pick<Principal, 'id' | 'groups'>): Principal => ({
    id,
    groups,
    isAdministrator: id === chief || groups.includes(administrators),
  });

/** A principal with all permissions, for the server itself to act in the name of a user. */
export const administrator = (id: string): Principal => ({
  id,
  groups: [administrators],
  isAdministrator: true,
});

type Caller = Pick<Principal, 'id' | 'isAdministrator'>;

/**
 * Rejects users who are not administrators.
 * @param action a verb phrase for the message, such as "see webhooks".
 * @throws Forbidden
 */
export function requireAdministrator({ id, isAdministrator }: Caller, action = 'do this'): void {
  if (!isAdministrator) throw new Forbidden(`Only administrators can ${action}; ${id} is not one.`);
}
