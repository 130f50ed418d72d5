import type { EnricherSelections } from '../../enrichers/enricher.ts';
import { constant, Field, mergeSelections, omitIfNull, type Selection } from '../../selection/selection.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

/** §2.5: an ACE, as the adapter `@acl` and documents show it. */
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

/** An ACE as an entity of its own. */
export const aceSelection: Selection = { 'entity-type': constant('ace'), ...ace };

/** The entity of the adapter `@acl`. Its lists have other names than those of the enricher `acls`. */
export const aclsSelection: Selection = {
  'entity-type': constant('acls'),
  acl: new Field({ name: 'acls', of: { name: true, ace: new Field({ name: 'aces', of: ace }) } }),
};

/**
 * §2.5: the ACLs inside a document. `fetch.acls` and `fetch.document` replace names in their ACEs by
 * entities.
 */
export function nestedAcls(
  { fetch }: ResponseShape,
  below: Pick<EnricherSelections, 'user'> & { readonly group: Selection },
): Selection {
  const names = [...(fetch.acls ?? []), ...(fetch.document ?? [])];
  const added = Object.entries(fetchProperties.acls).filter(([name]) => names.includes(name));
  return { name: true, aces: mergeSelections(ace, ...added.map(([, add]) => add(below))) };
}
