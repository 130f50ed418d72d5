import {
  type AuthorityKind,
  type AuthorityRow,
  groupsOfUser,
} from '../../../loaders/authorities/authorities.ts';
import type { Context } from '../../../loaders/context.ts';
import { maxPageSize } from '../../../loaders/lists/page.ts';
import { renderGroup, renderUser } from '../../../model/authorities/render-authority.ts';
import { administrators, powerUsers } from '../../../security/principal.ts';
import { operation } from '../../operation.ts';
import { flag, integer, shortText, text } from '../../params/kinds.ts';
import type { ParamValues } from '../../params/param.ts';

const displayParams = {
  hideFirstLabel: flag.withDefault(false, 'Omits the first name from labels.'),
  hideSecondLabel: flag.withDefault(false, 'Omits the last name from labels.'),
  hideThirdLabel: flag.withDefault(false, 'Omits the e-mail address from labels.'),
  displayEmailInSuggestion: flag.withDefault(false, 'Adds the e-mail address to labels.'),
  hideAdminGroups: flag.withDefault(false, 'Omits the group of administrators.'),
  hidePowerUsersGroup: flag.withDefault(false, 'Omits the group of power users.'),
  hideIcon: flag.withDefault(false, 'Omits displayIcon.'),
};

type DisplayOptions = ParamValues<typeof displayParams>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a user's label: the parts of the name that are not hidden, or the user name if all parts are hidden or empty.
 */
function userLabel(fields: Fields, display: DisplayOptions): string {
  const name = [
    display.hideFirstLabel ? '' : fields.firstName,
    display.hideSecondLabel ? '' : fields.lastName,
    display.displayEmailInSuggestion && !display.hideThirdLabel ? fields.email : '',
  ].filter(Boolean);
  return name.length > 0 ? name.join(' ') : String(fields.username);
}

/** Extends the fields of a user or group with those that clients show in lists of suggestions. */
const suggestion = (kind: AuthorityKind, id: string, fields: Fields, display: DisplayOptions): Fields => ({
  ...fields,
  id,
  'entity-type': kind,
  type: `${kind.toUpperCase()}_TYPE`,
  prefixed_id: `${kind}:${id}`,
  displayLabel: kind === 'user' ? userLabel(fields, display) : String(fields.grouplabel || id),
  ...(!display.hideIcon && { displayIcon: true }),
});

async function userSuggestion(
  { services: { model }, load }: Context,
  user: AuthorityRow,
  display: DisplayOptions,
) {
  const groups = await groupsOfUser(load, user.id);
  const direct = groups.filter(({ isDirect }) => isDirect).map(({ id }) => id);
  return suggestion('user', user.id, renderUser(model, user, direct), display);
}

/** The maximum number of suggested users whose name matches only after correcting a typo in the search term. */
const maxSimilar = 10;

async function find(
  { load }: Context,
  kind: AuthorityKind,
  { term, limit, group }: { term: string; limit: number; group: string | undefined },
): Promise<readonly AuthorityRow[]> {
  const page = { prefix: term === '' ? undefined : term, after: undefined, pageSize: limit, offset: 0 };
  const { rows } = await (kind === 'user' ? load.users : load.groups)(page, group);
  if (rows.length > 0 || kind === 'group' || group !== undefined) return rows;
  return load.similarUsers(term, Math.min(limit, maxSimilar));
}

export const userGroupSuggestion = operation({
  id: 'UserGroup.Suggestion',
  label: 'Get User/Group Suggestion',
  category: 'Users & Groups',
  description:
    'Suggests users and groups whose names begin with the search term, as JSON. If there are no such users, suggests up to ten users whose names match after one typo is corrected.',
  example: { params: { searchTerm: 'in' } },
  gives: 'json',
  params: {
    searchTerm: shortText.withDefault('', 'The beginning of the names. Case is ignored.', {
      aliases: ['prefix'],
    }),
    searchType: text.withDefault('USER_GROUP_TYPE', 'Whether to suggest users, groups or both.', {
      values: ['USER_TYPE', 'GROUP_TYPE', 'USER_GROUP_TYPE'],
    }),
    groupRestriction: text.optional('A group: only its direct members are suggested as users.'),
    userSuggestionMaxSearchResults: integer.withDefault(
      maxPageSize,
      'The maximum number of users, and the maximum number of groups.',
    ),
    ...displayParams,
  },
  run: async (context, _, { searchTerm, searchType, groupRestriction, ...display }) => {
    const limit = Math.min(Math.max(display.userSuggestionMaxSearchResults, 1), maxPageSize);
    const search = { term: searchTerm.trim(), limit, group: groupRestriction || undefined };
    const [users, groups] = await Promise.all([
      searchType === 'GROUP_TYPE' ? [] : find(context, 'user', search),
      searchType === 'USER_TYPE' ? [] : find(context, 'group', { ...search, group: undefined }),
    ]);
    const hidden = [
      ...(display.hideAdminGroups ? [administrators] : []),
      ...(display.hidePowerUsersGroup ? [powerUsers] : []),
    ];
    return [
      ...(await Promise.all(users.map((user) => userSuggestion(context, user, display)))),
      ...groups
        .filter(({ id }) => !hidden.includes(id))
        .map((group) => suggestion('group', group.id, renderGroup(context.services.model, group), display)),
    ];
  },
});
