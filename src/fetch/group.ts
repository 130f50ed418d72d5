import type { Selection } from '../selection.ts';

/** §10.3 `fetch.group` */
export const group: Readonly<Record<string, Selection>> = {
  memberUsers: { memberUsers: true },
  memberGroups: { memberGroups: true },
  parentGroups: { parentGroups: true },
};
