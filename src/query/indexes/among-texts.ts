import { type Compilation, type Operand, someValueSql } from '../operand.ts';
import { keptOf, longPattern } from './kept-values.ts';
import { hasTrigrams } from './patterns.ts';
import { propertiesSql } from './term-values.ts';

interface TextCondition {
  /** Of one text: the condition itself. */
  readonly test: (text: string) => string;
  /** What all texts match for which the condition holds. */
  readonly op: 'LIKE' | 'ILIKE';
  readonly pattern: string;
}

/** The elements of a list that are no longer than 200 bytes. */
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
 * A condition on texts, from the index of trigrams that there is of them: it has all but long texts, for
 * which alone the document is read. Within a NOT, and where the pattern has no trigrams, it is of no use.
 */
export function amongTexts(
  operand: Operand,
  { test, op, pattern }: TextCondition,
  compilation: Compilation,
): string {
  const found = someValueSql(operand, test);
  const { term, hasPatterns, from } = operand;
  const wanted = from === undefined ? pattern : `%${pattern}%`;
  if (!hasPatterns || term === undefined || compilation.isNegated || !hasTrigrams(wanted)) return found;
  const { parameters } = compilation;
  const kept = keptOf(term, from === undefined ? 'string' : 'strings', parameters);
  const short = from === undefined ? { kind: 'string' as const, value: kept } : elementsOf(term, compilation);
  const [like, long] = [parameters.add(wanted, 'text'), parameters.add(longPattern, 'text')];
  const conditions = new Set([
    `${kept} ${op} ${like}`,
    someValueSql(short, test),
    `${kept} NOT LIKE ${long}`,
  ]);
  return `((${[...conditions].join(' AND ')})
    OR (${kept} LIKE ${long} AND EXISTS (SELECT FROM (${propertiesSql}) AS d WHERE ${found})))`;
}
