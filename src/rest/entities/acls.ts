import type { Inside } from '../../enrichers/enricher.ts';
import { aclsOfDocuments } from '../../fetch/acls.ts';
import { fetchable } from '../../fetch/index.ts';
import { call, constant, Field, merge, type Node, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';

const who: Selection = { id: true, username: true };

const rest: Selection = {
  permission: true,
  granted: true,
  creator: true,
  begin: true,
  end: true,
  status: true,
};

/** An ACE as the adapter shows it; inside a document it tells of guests too. */
const ace: Selection = { ...who, ...rest };
const aceInside: Selection = { ...who, externalUser: true, ...rest };

/** The ACLs of a document as an entity of their own, under the names that the adapter `@acl` has for them. */
export const acls: Selection = {
  'entity-type': constant('acls'),
  acl: new Field({ name: 'acls', of: { name: true, ace: new Field({ name: 'aces', of: ace }) } }),
};

/** §2.5: ACLs inside a document, with what `fetch.acls`, or `fetch.document`, adds to their ACEs. */
export function aclsOf({ fetch }: Shape, below: Pick<Inside, 'user'> & { readonly group: Selection }): Node {
  const names = [...(fetch.acls ?? []), ...(fetch.document ?? [])];
  const added = Object.entries(fetchable.acls).filter(([name]) => names.includes(name));
  const aces = merge(aceInside, ...added.map(([, add]) => add(below)));
  const who = added.some(([name]) => aclsOfDocuments.includes(name));
  return who ? call({ who }, { name: true, aces }) : { name: true, aces };
}
