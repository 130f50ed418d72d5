import { either, Field, inPlaceOf, type Selection } from '../selection.ts';

/** Users and groups as they are inside of what is asked for. */
interface Inside {
  readonly user: Field;
  readonly group: Selection;
}

/** §10.1 `fetch.acls`: what each name adds to an ACE. */
export const acls: Readonly<Record<string, (inside: Inside) => Selection>> = {
  username: ({ user, group }) => ({
    who: either({ of: { user, group }, ...inPlaceOf('username') }),
  }),
  creator: ({ user }) => ({ madeBy: new Field({ ...user, ...inPlaceOf('creator') }) }),
  extended: () => ({ notify: true, comment: true }),
};

/** Those that stand for users and groups, which `fetch.document` takes too. */
export const aclsOfDocuments: readonly string[] = ['username', 'creator'];
