import { Forbidden } from '../errors.ts';

/** By what a request proves its user (§5). */
export type CredentialKind = 'password' | 'login token' | 'OAuth token' | 'JWT';

export interface Principal {
  readonly id: string;
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
  /** Absent where the server itself acts. */
  readonly credential?: CredentialKind;
}

/** The group whose members may do everything. */
export const administrators = 'administrators';

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

/**
 * §5: only a password brings forth further credentials, since those of a token would outlive it.
 * @throws Forbidden
 */
export function requirePassword({ credential }: Pick<Principal, 'credential'>, wanted: string): void {
  if (credential !== 'password')
    throw new Forbidden(
      `${wanted} takes the user's password, and this request has none, but a credential of another kind: ${credential}`,
    );
}
