import type { EnricherSelections } from '../../enrichers/enricher.ts';
import { enrichers } from '../../enrichers/index.ts';
import {
  constant,
  entityType,
  Field,
  firstNonNull,
  mergeSelections,
  type Selection,
} from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';
import { contextParameters } from '../documents/context-parameters.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

const groupUrl = (id: unknown): string => `group/${encodeURIComponent(String(id))}`;

const userFields: Selection = {
  extendedGroups: { name: true, label: true, url: new Field({ name: 'name', format: groupUrl }) },
  isAdministrator: true,
  isAnonymous: true,
};

export const plainUser: Selection = { 'entity-type': entityType, id: true, ...userFields };

/** A user (§2.2). */
export const userSelection = (shape: ResponseShape, inside: EnricherSelections): Selection => ({
  'entity-type': entityType,
  id: true,
  properties: true,
  ...userFields,
  ...contextParameters(enrichers.user, shape.enrichers.user, { inside, anyField: 'id' }),
});

export const plainGroup: Selection = {
  'entity-type': entityType,
  id: true,
  groupname: true,
  grouplabel: true,
};

/** A group (§2.3). */
export const groupSelection = ({ fetch }: ResponseShape): Selection =>
  mergeSelections(
    { ...plainGroup, properties: true },
    ...(fetch.group ?? []).map((name) => fetchProperties.group[name] ?? {}),
  );

/** Marks the users in a search result as partial, as the reference implementation does. */
const isPartial = constant(true);

/**
 * A user or group that also has the fields of a document. Clients expect these fields in the results of page providers.
 */
const asDocument = (authority: Selection, type: 'user' | 'group'): Selection => ({
  ...authority,
  type: constant(type),
  uid: new Field({ name: 'id' }),
  properties: new Field({
    format: (properties) => ({
      ...(properties as object | null),
      ...Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, value]) => [`${type}:${name}`, value]),
      ),
    }),
  }),
});

export const authorityEntities = ({ user, group }: Record<'user' | 'group', Selection>) =>
  ({
    user,
    users: { ...pageSelection, entries: { ...user, isPartial } },
    group,
    groups: { ...pageSelection, entries: group },
    usersOrGroups: {
      ...pageSelection,
      entries: firstNonNull({ of: { user: asDocument(user, 'user'), group: asDocument(group, 'group') } }),
    },
    /** The response to `POST /group/GROUP_ID/user/USER_ID` (§4.4). */
    joinedGroup: mergeSelections(group, { memberUsers: true }),
    authority: { user, group },
    notifications: {
      'entity-type': constant('notifications'),
      byMail: true,
      frequency: true,
      language: true,
    },
  }) satisfies Record<string, Selection>;
