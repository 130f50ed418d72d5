import type { Compilation, Operand } from '../operand.ts';
import { isKeptKind, keptOf } from './kept-values.ts';

/** The SQL of the value by which an index has the order of a property; undefined where there is no index. */
export function keptOrderOf(
  { isKept, term, kind }: Operand,
  { parameters }: Compilation,
): string | undefined {
  if (!isKept || term === undefined || !isKeptKind(kind)) return undefined;
  return keptOf(term, kind, parameters);
}
