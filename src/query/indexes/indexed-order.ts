import type { Compilation, Operand } from '../operand.ts';
import { indexedValueOf, isIndexableKind } from './indexed-values.ts';

/**
 * SQL of a property's value that matches its declared index, so that PostgreSQL sorts by it; undefined without an
 * index.
 */
export function indexedOrderOf(
  { isIndexed, term, kind }: Operand,
  { parameters }: Compilation,
): string | undefined {
  if (!isIndexed || term === undefined || !isIndexableKind(kind)) return undefined;
  return indexedValueOf(term, kind, parameters);
}
