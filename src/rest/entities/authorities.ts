import type { Inside } from '../../enrichers/enricher.ts';
import { enrichers } from '../../enrichers/index.ts';
import { fetchable } from '../../fetch/index.ts';
import { constant, entityType, merge, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { contextParameters } from './context-parameters.ts';
import { page } from './page.ts';

const userFields: Selection = {
  extendedGroups: { name: true, label: true, url: true },
  isAdministrator: true,
  isAnonymous: true,
};

/** A user deeper than `depth`. */
export const plainUser: Selection = { 'entity-type': entityType, id: true, ...userFields };

/** §2.2: a user, with the data of `enrichers.user`. */
export const userOf = (shape: Shape, inside: Inside): Selection => ({
  'entity-type': entityType,
  id: true,
  properties: true,
  ...userFields,
  ...contextParameters(enrichers.user, shape.enrichers.user, inside),
});

/** A group deeper than `depth`. */
export const plainGroup: Selection = {
  'entity-type': entityType,
  id: true,
  groupname: true,
  grouplabel: true,
};

/** §2.3: a group, with what `fetch.group` names. */
export const groupOf = ({ fetch }: Shape): Selection =>
  merge(
    { ...plainGroup, properties: true },
    ...(fetch.group ?? []).map((name) => fetchable.group[name] ?? {}),
  );

/** In the results of a search a user says that there may be more to know. */
const isPartial = constant(true);

/** Users and groups, and pages of them. */
export const authorityEntities = ({ user, group }: Record<'user' | 'group', Selection>) =>
  ({
    user,
    users: { ...page, entries: { ...user, isPartial } },
    group,
    groups: { ...page, entries: group },
    /** The answer to a membership made from the group's side (§4.4). */
    joinedGroup: merge(group, { memberUsers: true }),
    /** Whichever there is. */
    authority: { user, group },
  }) satisfies Record<string, Selection>;
