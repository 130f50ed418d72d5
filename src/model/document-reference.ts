import { Invalid } from '../errors.ts';

/** A document by its id or by its path: exactly one of them. */
export interface DocumentReference {
  readonly id?: string | null | undefined;
  readonly path?: string | null | undefined;
}

/** A path without trailing slashes, which never matter; the root's is its name. */
function withoutTrailing(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Which of the two a reference is. @throws Invalid when it is neither or both */
export function referenceKey({ id, path }: DocumentReference): { by: 'id' | 'path'; value: string } {
  if (typeof id === 'string' && typeof path !== 'string') return { by: 'id', value: id.toLowerCase() };
  if (typeof path === 'string' && typeof id !== 'string') return { by: 'path', value: withoutTrailing(path) };
  throw new Invalid('a document is addressed by its id or by its path: give exactly one');
}
