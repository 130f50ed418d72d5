import { Acl } from '../graphql/builder.ts';
import { isSelected } from '../graphql/is-selected.ts';
import { aclsWithInherited } from '../loaders/acls/acls.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Loaders } from '../loaders/index.ts';
import type { Enricher } from './enricher.ts';

/**
 * Loads the users and groups in a document's ACLs as soon as the ACLs are loaded, so that the names for all documents
 * are loaded in one batch.
 */
async function prefetchNames(
  { aclId }: DocumentRow,
  { access, userById, groupById }: Loaders,
): Promise<void> {
  const aces = await access.entries(aclId);
  const users = aces.flatMap(({ username, creator }) => (creator === null ? username : [username, creator]));
  await Promise.all([userById.loadMany(users), groupById.loadMany(aces.map(({ username }) => username))]);
}

export const aclsEnricher: Enricher<DocumentRow> = {
  name: 'acls',
  field: (t) =>
    t.field({
      type: [Acl],
      description:
        'The ACLs in the order of evaluation; empty if the caller does not have the permission ReadSecurity.',
      resolve: async (row, _, { load }, info) => {
        if (!(await load.access.may(row, 'ReadSecurity'))) return [];
        const needsNames = isSelected(info, 'aces', 'who') || isSelected(info, 'aces', 'madeBy');
        const [found] = await Promise.all([
          aclsWithInherited(load, row),
          needsNames && prefetchNames(row, load),
        ]);
        return found;
      },
    }),
  select: ({ acls }) => acls,
  prefetch: ({ acls }, ids) => acls.loadMany(ids),
};
