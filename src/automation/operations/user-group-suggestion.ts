import type { Context } from '../../context.ts';
import { type AuthorityKind, type AuthorityRow, groupsAround } from '../../loaders/authorities.ts';
import { maxPageSize } from '../../loaders/children.ts';
import { showGroup, showUser } from '../../model/show-authority.ts';
import { administrators } from '../../scope.ts';
import { flag, text, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally } from '../params.ts';

/** How a suggestion is shown. */
interface Wish {
  readonly hideFirstLabel: boolean;
  readonly hideSecondLabel: boolean;
  readonly hideThirdLabel: boolean;
  readonly displayEmailInSuggestion: boolean;
  readonly hideIcon: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** First and last name, else the user name, and the address where that is wanted. */
function userLabel(fields: Fields, wish: Wish): string {
  const name = [
    wish.hideFirstLabel ? '' : fields.firstName,
    wish.hideSecondLabel ? '' : fields.lastName,
    wish.displayEmailInSuggestion && !wish.hideThirdLabel ? fields.email : '',
  ].filter(Boolean);
  return name.length > 0 ? name.join(' ') : String(fields.username);
}

const icon = ({ hideIcon }: Wish) => (hideIcon ? {} : { displayIcon: true });

const ofUser = async ({ model, load }: Context, user: AuthorityRow, wish: Wish): Promise<Fields> => {
  const groups = await groupsAround(load, user.id);
  const fields = showUser(
    model,
    user,
    groups.filter(({ isDirect }) => isDirect).map(({ id }) => id),
  );
  return {
    ...fields,
    ...{ id: user.id, 'entity-type': 'user', type: 'USER_TYPE', prefixed_id: `user:${user.id}` },
    ...{ displayLabel: userLabel(fields, wish), ...icon(wish) },
  };
};

const ofGroup = ({ model }: Context, group: AuthorityRow, wish: Wish): Fields => {
  const fields = showGroup(model, group);
  return {
    ...fields,
    ...{ id: group.id, 'entity-type': 'group', type: 'GROUP_TYPE', prefixed_id: `group:${group.id}` },
    ...{ displayLabel: String(fields.grouplabel || group.id), ...icon(wish) },
  };
};

/** Those whose names begin with the term; all when there is none. */
async function find(
  { load }: Context,
  kind: AuthorityKind,
  { term, most, group }: { term: string; most: number; group: string | undefined },
): Promise<readonly AuthorityRow[]> {
  const page = { prefix: term === '' ? undefined : term, after: undefined, pageSize: most, offset: 0 };
  return (await (kind === 'user' ? load.users : load.groups)(page, group)).rows;
}

/** Users and groups for somebody who types. */
export const userGroupSuggestion = operation({
  id: 'UserGroup.Suggestion',
  label: 'Get User/Group Suggestion',
  category: 'Users & Groups',
  description: 'Answers users and groups whose names begin with a text, as JSON for lists of choice.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    searchTerm: optionally(text, '', 'What the names begin with, in any case.', { aliases: ['prefix'] }),
    searchType: optionally(text, 'USER_GROUP_TYPE', 'Whether users, groups or both are wanted.', {
      values: ['USER_TYPE', 'GROUP_TYPE', 'USER_GROUP_TYPE'],
    }),
    groupRestriction: optional(text, 'A group: only users directly in it are suggested.'),
    userSuggestionMaxSearchResults: optionally(whole, maxPageSize, 'The most users, and the most groups.'),
    hideFirstLabel: optionally(flag, false, 'Leaves the first name out of labels.'),
    hideSecondLabel: optionally(flag, false, 'Leaves the last name out of labels.'),
    hideThirdLabel: optionally(flag, false, 'Leaves the e-mail address out of labels.'),
    displayEmailInSuggestion: optionally(flag, false, 'Puts the e-mail address into labels.'),
    hideAdminGroups: optionally(flag, false, 'Leaves the group of administrators out.'),
    hidePowerUsersGroup: optionally(flag, false, 'Leaves the group of power users out.'),
    hideIcon: optionally(flag, false, 'Leaves displayIcon out.'),
  },
  run: async (context, _, { searchTerm, searchType, groupRestriction, ...wish }) => {
    const most = Math.min(Math.max(wish.userSuggestionMaxSearchResults, 1), maxPageSize);
    const search = { term: searchTerm.trim(), most, group: groupRestriction || undefined };
    const [users, groups] = await Promise.all([
      searchType === 'GROUP_TYPE' ? [] : find(context, 'user', search),
      searchType === 'USER_TYPE' ? [] : find(context, 'group', { ...search, group: undefined }),
    ]);
    const hidden = [
      ...(wish.hideAdminGroups ? [administrators] : []),
      ...(wish.hidePowerUsersGroup ? ['powerusers'] : []),
    ];
    return [
      ...(await Promise.all(users.map((user) => ofUser(context, user, wish)))),
      ...groups.filter(({ id }) => !hidden.includes(id)).map((group) => ofGroup(context, group, wish)),
    ];
  },
});
