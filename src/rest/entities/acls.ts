import { Field, type Selection } from '../../selection.ts';

const ace: Selection = {
  id: true,
  username: true,
  permission: true,
  granted: true,
  creator: true,
  begin: true,
  end: true,
  status: true,
};

/** The ACLs of a document as an entity of their own, under the names that the adapter `@acl` has for them. */
export const acls: Selection = {
  'entity-type': new Field({ name: '__typename', show: () => 'acls' }),
  acl: new Field({ name: 'acls', of: { name: true, ace: new Field({ name: 'aces', of: ace }) } }),
};
