import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { workspacePath } from '../model/user-workspaces.ts';
import type { Scope } from '../scope.ts';
import { type Access, toRead } from './access.ts';
import { isPossible } from './authorities.ts';
import { byKey } from './batch.ts';
import { type DocumentRow, documentColumns } from './document-row.ts';

/** The oldest profile of each workspace comes last, and counts. */
const query: Query = {
  name: 'profiles',
  text: `
    SELECT w.path AS workspace, ${documentColumns}
    FROM document w JOIN document d ON d.repository = w.repository AND d.parent_id = w.id
    WHERE w.repository = $1 AND w.path = ANY($2::text[]) AND NOT w.is_version
      AND d.type = 'UserProfile' AND NOT d.is_version AND NOT d.is_trashed
    ORDER BY d.id DESC`,
};

type ProfileRow = DocumentRow & { readonly workspace: string };

/**
 * Profiles of users, by the user's id: documents of type UserProfile in their own workspaces. One that the caller may
 * not read is none.
 */
export function profileOf({ db, options }: Scope, access: Access): DataLoader<string, DocumentRow | null> {
  const users = new Map<string, string>();
  return byKey(
    async (ids) => {
      const known = ids.filter(isPossible);
      for (const id of known) users.set(workspacePath(id), id);
      const rows = await db.query<ProfileRow>(query, [options.repository, known.map(workspacePath)]);
      const isReadable = await Promise.all(rows.map((row) => access.may(row.aclId, toRead(row))));
      return rows.filter((_, index) => isReadable[index]);
    },
    (row: DocumentRow) => users.get((row as ProfileRow).workspace) ?? '',
  );
}
