import type DataLoader from 'dataloader';
import type { Statement } from '../../db/database.ts';
import { workspacePath } from '../../model/user-workspaces.ts';
import type { Scope } from '../../scope.ts';
import { type Access, readPermissionFor } from '../acls/access.ts';
import { batchLoader } from '../batch.ts';
import { type DocumentRow, documentColumns } from '../documents/document-row.ts';
import { isStorableText } from './authorities.ts';

/** The oldest profile of each workspace comes last and is used. */
const query: Statement = {
  name: 'profiles',
  text: `
    SELECT w.path AS workspace, ${documentColumns}
    FROM document w JOIN document d ON d.repository = w.repository AND d.parent_id = w.id
    WHERE w.repository = $1 AND w.path = ANY($2::text[]) AND NOT w.is_version
      AND d.type = 'UserProfile' AND NOT d.is_version AND NOT d.is_trashed
    ORDER BY d.id DESC`,
};

type ProfileRow = DocumentRow & { readonly workspace: string };

/** Documents of type UserProfile in the users' workspaces, by user id; null when unreadable. */
export function profileByUserId(
  { db, options }: Scope,
  access: Access,
): DataLoader<string, DocumentRow | null> {
  const users = new Map<string, string>();
  return batchLoader(
    async (ids) => {
      const known = ids.filter(isStorableText);
      for (const id of known) users.set(workspacePath(id), id);
      const rows = await db.query<ProfileRow>(query, [options.repository, known.map(workspacePath)]);
      const isReadable = await Promise.all(rows.map((row) => access.may(row.aclId, readPermissionFor(row))));
      return rows.filter((_, index) => isReadable[index]);
    },
    (row: DocumentRow) => users.get((row as ProfileRow).workspace) ?? '',
  );
}
