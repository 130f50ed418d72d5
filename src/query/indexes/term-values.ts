import type { Compilation, Operand } from '../operand.ts';
import type { ValueKind } from '../value-kind.ts';

export const propertiesSql =
  'SELECT o.properties FROM document o WHERE o.repository = d.repository AND o.id = d.id';

/** What follows the name in its terms, and in the order of all terms before and after these. */
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
  /** The value as a text, or NULL; of a list, an array of its different `element`s. */
  readonly sql: string;
  readonly element: (value: string) => string;
}

/**
 * The values of a property in the terms of documents `d`; of these, only those with a text of more than 200
 * bytes are read, which takes three times as long.
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

/** The same property, with its values from terms. */
export function operandOfTerms(operand: Operand, compilation: Compilation): Operand {
  const { kind, term = '', from, isKept } = operand;
  const terms = isKept ? undefined : termValues(operand, compilation);
  if (!terms) return operand;
  const typed = (sql: string) => (kind === 'number' ? `(${sql})::numeric` : `(${sql})`);
  if (from === undefined) return { kind, term, value: typed(terms.sql) };
  return { kind, term, value: typed(terms.element('t.term')), from: `unnest(${terms.sql}) AS t (term)` };
}
