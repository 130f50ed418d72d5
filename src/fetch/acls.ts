import { Field, inPlaceOf, type Selection } from '../selection.ts';

/** Users and groups as they are inside of what is asked for. */
interface Inside {
  readonly user: Field;
  readonly group: Selection;
}

const either = (value: unknown): unknown => {
  const { user, group } = (value ?? {}) as Partial<Record<'user' | 'group', unknown>>;
  return user ?? group;
};

/** §10.1 `fetch.acls`: what each name adds to an ACE. */
export const acls: Readonly<Record<string, (inside: Inside) => Selection>> = {
  username: ({ user, group }) => ({
    who: new Field({ of: { user, group }, show: either, join: inPlaceOf('username') }),
  }),
  creator: ({ user }) => ({ madeBy: new Field({ ...user, join: inPlaceOf('creator') }) }),
  extended: () => ({ notify: true, comment: true }),
};

/** Those that stand for users and groups, which `fetch.document` takes too. */
export const aclsOfDocuments: readonly string[] = ['username', 'creator'];
