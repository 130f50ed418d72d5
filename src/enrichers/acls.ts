import { aclsOf } from '../loaders/acls.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Loaders } from '../loaders/index.ts';
import { Acl } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** Looks for all who are named on a document, while its own ACLs are looked for: together with others it is asked for. */
async function lookAhead({ aclId }: DocumentRow, { access, userById, groupById }: Loaders): Promise<void> {
  const aces = await access.entries(aclId);
  const users = aces.flatMap(({ username, creator }) => (creator === null ? username : [username, creator]));
  await Promise.all([userById.loadMany(users), groupById.loadMany(aces.map(({ username }) => username))]);
}

/** §4.9: the ACLs in the order in which they count; none where the caller may not read them. */
export const acls: Enricher<DocumentRow> = {
  name: 'acls',
  field: (t) =>
    t.field({
      type: [Acl],
      description: 'In the order in which they count; none without ReadSecurity.',
      args: { who: t.arg.boolean({ description: 'Whether users and groups will be asked for.' }) },
      resolve: async (row, { who }, { load }) => {
        if (!(await load.access.may(row.aclId, 'ReadSecurity'))) return [];
        const [found] = await Promise.all([aclsOf(load, row), who && lookAhead(row, load)]);
        return found;
      },
    }),
  select: ({ acls: shown }) => shown,
};
