import type { Compilation, Operand } from '../operand.ts';
import type { ValueKind } from '../value-kind.ts';

/** A subquery with the stored properties of document `d`. */
export const propertiesSql =
  'SELECT o.properties FROM document o WHERE o.repository = d.repository AND o.id = d.id';

/**
 * The character after the property name in its terms, such as `=` in `dc:creator=ada`, and the characters between which
 * these terms are sorted. The array of terms is sorted by bytes, so all terms of a property with one sign are adjacent.
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
   * SQL of the value as text, or NULL. For a list, SQL of an array of its distinct terms; `element` extracts the
   * text.
   */
  readonly sql: string;
  readonly element: (value: string) => string;
}

/**
 * Reads the values of a property from the terms of document `d`, which takes a third of the time of reading its stored
 * properties. `width_bucket` finds the property's terms by binary search in the sorted array. A text of more than 200
 * bytes is not in the terms, only its hash (`name#…`): such documents are recognized by the marked prefix (`name"…`), and
 * only for them are the stored properties read.
 * @returns undefined if the values are not in the terms.
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

/** The operand of the same property with its values read from the terms, if they are there. */
export function operandOfTerms(operand: Operand, compilation: Compilation): Operand {
  const { kind, term = '', from, isIndexed } = operand;
  const terms = isIndexed ? undefined : termValues(operand, compilation);
  if (!terms) return operand;
  const typed = (sql: string) => (kind === 'number' ? `(${sql})::numeric` : `(${sql})`);
  if (from === undefined) return { kind, term, value: typed(terms.sql) };
  return { kind, term, value: typed(terms.element('t.term')), from: `unnest(${terms.sql}) AS t (term)` };
}
