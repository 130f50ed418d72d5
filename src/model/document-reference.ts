import { Invalid } from '../errors.ts';
import { withoutTrailing } from './trailing.ts';

/** A document by its id or by its path: exactly one of them. */
export interface DocumentReference {
  readonly id?: string | null | undefined;
  readonly path?: string | null | undefined;
}

/** Which of the two a reference is. @throws Invalid when it is neither or both */
export function referenceKey({ id, path }: DocumentReference): { by: 'id' | 'path'; value: string } {
  if (typeof id === 'string' && typeof path !== 'string') return { by: 'id', value: id.toLowerCase() };
  if (typeof path === 'string' && typeof id !== 'string') {
    // Trailing slashes never matter; the root's is its name.
    return { by: 'path', value: withoutTrailing(path, '/') || path.slice(0, 1) };
  }
  throw new Invalid('a document is addressed by its id or by its path: give exactly one');
}
