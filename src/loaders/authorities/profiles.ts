import type DataLoader from 'dataloader';
import { workspacePath } from '../../model/user-workspaces.ts';
import { isStorableText } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { type Access, readPermissionFor } from '../acls/access.ts';
import { batchLoader } from '../batch.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/**
 * Returns a loader for the UserProfile documents in users' workspaces, by user id. If the profile is not readable, the
 * loader returns `null`.
 */
export function profileByUserId(
  { db, options }: Scope,
  access: Access,
): DataLoader<string, DocumentRow | null> {
  const users = new Map<string, string>();
  return batchLoader(
    async (ids) => {
      const known = ids.filter(isStorableText);
      for (const id of known) users.set(workspacePath(id), id);
      const workspace = { path: { in: known.map(workspacePath) }, isVersion: false };
      const rows = (await db.prisma.document.findMany({
        where: {
          repository: options.repository,
          parent: workspace,
          type: 'UserProfile',
          isVersion: false,
          isTrashed: false,
        },
        orderBy: { id: 'desc' }, // if a workspace contains several, the loader uses the last one, which is the oldest
      })) as DocumentRow[];
      const isReadable = await Promise.all(rows.map((row) => access.may(row, readPermissionFor(row))));
      return rows.filter((_, index) => isReadable[index]);
    },
    ({ path }: DocumentRow) => users.get(path.slice(0, path.lastIndexOf('/'))) ?? '',
  );
}
