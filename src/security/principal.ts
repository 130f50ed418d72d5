export interface Principal {
  readonly id: string;
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
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
