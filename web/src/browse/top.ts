import { useAnswer } from '../graphql/client.ts';
import { topFolders } from '../graphql/operations.ts';
import { useFolders } from './folders.ts';

interface Top {
  readonly uid: string;
  readonly path: string;
  readonly title: string;
  readonly type: string;
}

/**
 * Returns the top folder of the tree: the root or, if the user cannot read it, the topmost folder that the user can
 * read. It is `undefined` while it is being loaded, and `null` if the user cannot read any folder.
 */
export function useTop(): { readonly top?: Top | null | undefined; readonly error: Error | null } {
  const root = useFolders('/');
  const { data, error } = useAnswer(topFolders, {}, { enabled: root.error !== null });
  if (root.first) {
    const { uid, title } = root.first.document;
    return { top: { uid, path: '/', title, type: 'Root' }, error: null };
  }
  return { top: data && (data.search.entries[0] ?? null), error };
}
