import { type Compilation, type Operand, someValueSql } from '../operand.ts';
import { indexedValueOf, longPattern } from './indexed-values.ts';
import { hasTrigrams } from './patterns.ts';
import { propertiesSql } from './term-values.ts';

interface TextCondition {
  /** The exact condition on one text. */
  readonly test: (text: string) => string;
  /** A pattern, with its operator, that every text matches for which the condition holds. */
  readonly op: 'LIKE' | 'ILIKE';
  readonly pattern: string;
}

/** The operand of the elements of a list that have at most 200 bytes, which are complete in the terms. */
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
 * Compiles a condition on texts so that a trigram index answers it, if the property has one.
 *
 * The index contains texts of up to 200 bytes completely, and a prefix with a mark for longer ones. So the SQL has two
 * branches: indexed texts that match the pattern, pass the test and do not have the mark; and documents with the mark, for
 * which the stored property is read and tested. The condition is tested directly if there is no such index, if the pattern
 * has no trigrams (the whole index would be scanned), and within a NOT (nearly all documents satisfy it).
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
