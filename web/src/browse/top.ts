import { useAnswer } from '../graphql/client.ts';
import { topFolders, treeFolders } from '../graphql/operations.ts';

interface Top {
  readonly path: string;
  readonly title: string;
  readonly type: string;
}

/** Where the tree begins: the root, or the highest folder that the user may read. */
export function useTop(): Top | undefined {
  const root = useAnswer(treeFolders, { path: '/', pageSize: 200 });
  const readable = useAnswer(topFolders, {}, { enabled: root.isError });
  if (root.data) return { path: '/', title: root.data.document.title, type: 'Root' };
  return readable.data?.search.entries[0];
}
