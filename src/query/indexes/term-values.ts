import type { Compilation, Operand } from '../operand.ts';
import type { ValueKind } from '../value-kind.ts';

/** A subquery for the stored properties of document `d`. */
export const propertiesSql =
  'SELECT o.properties FROM document o WHERE o.repository = d.repository AND o.id = d.id';

/**
 * The sign that follows the property name in terms, such as `=` in `dc:creator=ada`, and the lower and upper bounds of
 * such terms. The array of terms is sorted by bytes, so a property's terms with the same sign are adjacent.
 */
interface Signs {
  readonly sign: string;
  readonly start: string;
  readonly end: string;
}

const ofText: Signs = { sign: '=', start: '<', end: '>' };

const signs: Partial<Record<ValueKind, Signs>> = {
  string: ofText,
  date: ofText,
  number: { sign: ':', start: ':', end: ';' },
  boolean: { sign: '?', start: '?', end: '@' },
};

interface TermValues {
  /**
   * The SQL expression for the value as text, which can be NULL. For a list, it yields an array of the distinct terms;
   * `element` extracts the text.
   */
  readonly sql: string;
  readonly element: (value: string) => string;
}

/**
 * Reads the values of a property from the terms of document `d`. This takes a third of the time needed to read the
 * stored properties, because `width_bucket` finds the terms by binary search in the sorted array. If a string has more
 * than 200 bytes, the terms contain only a hash (`name#…`). Documents with such strings are recognized by a term with
 * the marked prefix of the string (`name"…`), and the stored properties are read only for these documents.
 * @returns undefined if the terms do not contain the values
 */
export function termValues(
  { term, kind, from, value }: Operand,
  { parameters }: Compilation,
): TermValues | undefined {
  const of = signs[kind];
  if (term === undefined || !of) return undefined;
  const text = (sign: string) => parameters.add(term + sign, 'text');
  const place = (sign: string) => `width_bucket(${text(sign)} COLLATE "C", d.kept)`;
  const prefix = text(of.sign);
  const element = (one: string) => `substr(${one}, length(${prefix}) + 1)`;
  const isLong = () => `starts_with(d.kept[${place('"')} + 1], ${text('#')})`;
  if (from !== undefined) {
    const short = `d.kept[${place(of.start)} + 1 : ${place(of.end)}]`;
    if (kind !== 'string') return { sql: short, element };
    const read = `ARRAY(SELECT DISTINCT ${prefix} || ${value} FROM (${propertiesSql}) AS d CROSS JOIN LATERAL ${from})`;
    return { sql: `CASE WHEN ${isLong()} THEN ${read} ELSE ${short} END`, element };
  }
  const first = `d.kept[${place(of.start)} + 1]`;
  const short = `CASE WHEN starts_with(${first}, ${prefix}) THEN ${element(first)}`;
  if (kind !== 'string') return { sql: `${short} END`, element };
  return {
    sql: `${short} WHEN ${isLong()} THEN (SELECT ${value} FROM (${propertiesSql}) AS d) END`,
    element,
  };
}

/** Returns an operand for the same property that reads its values from the terms, if the terms contain them. */
export function operandOfTerms(operand: Operand, compilation: Compilation): Operand {
  const { kind, term = '', from, isIndexed } = operand;
  const terms = isIndexed ? undefined : termValues(operand, compilation);
  if (!terms) return operand;
  const typed = (sql: string) => (kind === 'number' ? `(${sql})::numeric` : `(${sql})`);
  if (from === undefined) return { kind, term, value: typed(terms.sql) };
  return { kind, term, value: typed(terms.element('t.term')), from: `unnest(${terms.sql}) AS t (term)` };
}
