import type { EnricherSelections } from '../../enrichers/enricher.ts';
import { constant, Field, mergeSelections, omitIfNull, type Selection } from '../../selection/selection.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

const who: Selection = { id: true, username: true };

const rest: Selection = {
  permission: true,
  granted: true,
  creator: true,
  begin: true,
  end: true,
  status: true,
};

/** An ACE of the adapter `@acl`; inside a document it has `externalUser` too. */
const ace: Selection = { ...who, ...rest };
const aceInside: Selection = {
  ...who,
  externalUser: true,
  ...rest,
  notify: new Field({ format: (notify) => notify || undefined }),
  comment: omitIfNull,
};

/** One ACE, whose fields are those of the enricher. */
export const aceSelection: Selection = { 'entity-type': constant('ace'), ...aceInside };

/** The entity of the adapter `@acl`, whose field names differ from those of the enricher. */
export const aclsSelection: Selection = {
  'entity-type': constant('acls'),
  acl: new Field({ name: 'acls', of: { name: true, ace: new Field({ name: 'aces', of: ace }) } }),
};

/** §2.5: ACLs inside a document; `fetch.acls` and `fetch.document` turn names in their ACEs into entities. */
export function nestedAcls(
  { fetch }: ResponseShape,
  below: Pick<EnricherSelections, 'user'> & { readonly group: Selection },
): Selection {
  const names = [...(fetch.acls ?? []), ...(fetch.document ?? [])];
  const added = Object.entries(fetchProperties.acls).filter(([name]) => names.includes(name));
  return { name: true, aces: mergeSelections(aceInside, ...added.map(([, add]) => add(below))) };
}
