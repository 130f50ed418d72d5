import { useAnswer } from '../graphql/client.ts';
import { topFolders } from '../graphql/operations.ts';
import { useFolders } from './folders.ts';

interface Top {
  readonly path: string;
  readonly title: string;
  readonly type: string;
}

/**
 * Returns the top folder of the tree: the root or, if the user cannot read it, the topmost folder that the user can
 * read.
 */
export function useTop(): Top | undefined {
  const root = useFolders('/');
  const readable = useAnswer(topFolders, {}, { enabled: root.error !== null });
  if (root.first) return { path: '/', title: root.first.document.title, type: 'Root' };
  return readable.data?.search.entries[0];
}
