import type { EnricherSelections } from '../../enrichers/enricher.ts';
import { constant, Field, mergeSelections, omitIfNull, type Selection } from '../../selection/selection.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

/** An ACE in the form that documents and responses of the adapter `@acl` contain (§2.5). */
const ace: Selection = {
  id: true,
  username: true,
  externalUser: true,
  permission: true,
  granted: true,
  creator: true,
  begin: true,
  end: true,
  status: true,
  notify: new Field({ format: (notify) => notify || undefined }),
  comment: omitIfNull,
};

/** An ACE as the only entity of a response. */
export const aceSelection: Selection = { 'entity-type': constant('ace'), ...ace };

/** The entity that the adapter `@acl` returns. Its field names differ from those of the enricher `acls`. */
export const aclsSelection: Selection = {
  'entity-type': constant('acls'),
  acl: new Field({ name: 'acls', of: { name: true, ace: new Field({ name: 'aces', of: ace }) } }),
};

/**
 * The ACLs inside a document (§2.5). `fetch.acls` and `fetch.document` replace user and group names in the ACEs
 * with entities.
 */
export function nestedAcls(
  { fetch }: ResponseShape,
  below: Pick<EnricherSelections, 'user'> & { readonly group: Selection },
): Selection {
  const names = [...(fetch.acls ?? []), ...(fetch.document ?? [])];
  const added = Object.entries(fetchProperties.acls).filter(([name]) => names.includes(name));
  return { name: true, aces: mergeSelections(ace, ...added.map(([, add]) => add(below))) };
}
