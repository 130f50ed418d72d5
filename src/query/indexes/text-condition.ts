import { type Compilation, type Operand, someValueSql } from '../operand.ts';
import { indexedValueOf, longPattern } from './indexed-values.ts';
import { hasTrigrams } from './patterns.ts';
import { propertiesSql } from './term-values.ts';

interface TextCondition {
  /** Returns the exact condition on a single string. */
  readonly test: (text: string) => string;
  /** An operator and a pattern that match every string for which the condition is true. */
  readonly op: 'LIKE' | 'ILIKE';
  readonly pattern: string;
}

/** Returns the operand for the list elements that have at most 200 bytes, which the terms contain completely. */
const elementsOf = (term: string, { parameters }: Compilation): Operand => {
  const name = `${parameters.add(`${term}=`, 'text')}`;
  return {
    kind: 'string',
    from: 'unnest(d.kept) AS t (term)',
    when: `starts_with(t.term, ${name})`,
    value: `substr(t.term, length(${name}) + 1)`,
  };
};

/**
 * Compiles a condition on strings so that PostgreSQL can use a trigram index, if the property has one.
 * The index contains strings of up to 200 bytes completely. For longer strings it contains a prefix and a marker.
 * Therefore the SQL has two branches: one for indexed strings without the marker that match the pattern and satisfy
 * the condition, and one for documents with the marker, for which the stored property is read and tested.
 * The condition is tested directly if there is no such index, if the pattern has no trigrams (the whole index would
 * be scanned), or within a NOT (nearly all documents satisfy it).
 */
export function textConditionSql(
  operand: Operand,
  { test, op, pattern }: TextCondition,
  compilation: Compilation,
): string {
  const found = someValueSql(operand, test);
  const { term, hasPatterns, from } = operand;
  const indexPattern = from === undefined ? pattern : `%${pattern}%`;
  if (!hasPatterns || term === undefined || compilation.isNegated || !hasTrigrams(indexPattern)) return found;
  const { parameters } = compilation;
  const indexed = indexedValueOf(term, from === undefined ? 'string' : 'strings', parameters);
  const short =
    from === undefined ? { kind: 'string' as const, value: indexed } : elementsOf(term, compilation);
  const [like, long] = [parameters.add(indexPattern, 'text'), parameters.add(longPattern, 'text')];
  const conditions = new Set([
    `${indexed} ${op} ${like}`,
    someValueSql(short, test),
    `${indexed} NOT LIKE ${long}`,
  ]);
  return `((${[...conditions].join(' AND ')})
    OR (${indexed} LIKE ${long} AND EXISTS (SELECT FROM (${propertiesSql}) AS d WHERE ${found})))`;
}
