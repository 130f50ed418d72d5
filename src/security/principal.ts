import { Forbidden } from '../errors.ts';

/** By what a request proves its user (§5); tokens have the ids of their rows. */
export type Credential =
  | { readonly kind: 'password' | 'JWT' }
  | { readonly kind: 'login token'; readonly id: string }
  | { readonly kind: 'OAuth token'; readonly id: number };

export interface Principal {
  readonly id: string;
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
  /** Absent where the server itself acts. */
  readonly credential?: Credential;
  /** When the user's credentials ended last before this one was accepted. */
  readonly endedBefore?: Date | null;
}

/** The group whose members may do everything. */
export const administrators = 'administrators';

/** Its members may edit entries of directories, and all users and groups except administrators. */
export const powerUsers = 'powerusers';

/** @param chief is an administrator whatever the groups (ADMIN_USERNAME). */
export const principals =
  (chief: string) =>
  ({ id, groups }: Pick<Principal, 'id' | 'groups'>): Principal => ({
    id,
    groups,
    isAdministrator: id === chief || groups.includes(administrators),
  });

/** The principal of a user on whose behalf the server itself acts. */
export const administrator = (id: string): Principal => ({
  id,
  groups: [administrators],
  isAdministrator: true,
});

type Caller = Pick<Principal, 'id' | 'isAdministrator'>;

/**
 * Refuses all but administrators.
 * @param action what only administrators can do, for the message: "see webhooks".
 * @throws Forbidden
 */
export function requireAdministrator({ id, isAdministrator }: Caller, action = 'do this'): void {
  if (!isAdministrator) throw new Forbidden(`Only administrators can ${action}; ${id} is not one.`);
}
