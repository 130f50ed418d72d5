import type { Invalid } from '../errors.ts';
import type { Model, Property } from '../model/model.ts';
import { withPrefix } from '../model/values/bare-names.ts';
import { plainAnalysis, type WordAnalysis } from '../words/atoms.ts';
import { QueryBudget } from './budget.ts';
import { FullTexts, type WordQuery } from './full-text.ts';
import { indexedValueOf, textsWithPatterns } from './indexes/indexed-values.ts';
import type { SqlParameters } from './parameters.ts';
import { QueryFault } from './query-fault.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * The parameters and the state of a query's compilation. The resulting SQL refers to documents, which are rows of the
 * view `searchable`, as `d`, and to their repository as $1.
 */
export interface Compilation {
  readonly model: Model;
  readonly parameters: SqlParameters;
  /** The time of the query, in the format of stored dates. */
  readonly now: string;
  /** Returns the SQL condition that the caller can read the document with the given alias. */
  readonly mayRead: (alias: string) => string;
  /** Returns the SQL condition that the caller can read the ACLs of the document with the given alias. */
  readonly mayReadAcl: (alias: string) => string;
  /** The SQL aliases of the numbered elements (`dc:subjects/*1`) that are bound at this point of the query. */
  readonly elements: ReadonlyMap<string, string>;
  readonly budget: QueryBudget;
  readonly fullTexts: FullTexts;
  /** The full-text expressions compiled so far, by the SQL of their tsquery. */
  readonly wordQueries: Map<string, WordQuery>;
  /**
   * Whether the condition is within a NOT. If so, conditions that only narrow the search with an index are omitted:
   * nearly all documents satisfy a negated condition, so an index would not help.
   */
  readonly isNegated: boolean;
  /** Whether `d` is a row of the table `document`, which does not have the columns of the search index. */
  readonly isUnindexed: boolean;
  /**
   * The number of limited items that the whole query contains: required conditions with a subquery, and patterns that
   * use the full-text index.
   */
  readonly counts: { joins: number; wordPatterns: number };
}

export function newCompilation(
  context: Pick<Compilation, 'model' | 'parameters' | 'now' | 'mayRead' | 'mayReadAcl'> &
    Partial<Pick<Compilation, 'isUnindexed'>> & { readonly analysis?: WordAnalysis },
): Compilation {
  const budget = new QueryBudget();
  const { analysis = plainAnalysis, ...others } = context;
  return {
    isUnindexed: false,
    ...others,
    elements: new Map(),
    budget,
    fullTexts: new FullTexts(budget, analysis),
    wordQueries: new Map(),
    isNegated: false,
    counts: { joins: 0, wordPatterns: 0 },
  };
}

/** The SQL that represents a property in conditions. */
export interface Operand {
  readonly kind: ValueKind;
  /**
   * The SQL expression for the value, which is NULL if the property is not set. The type is text (also for dates),
   * numeric, boolean or uuid.
   */
  readonly value: string;
  /** The FROM item that yields one row per value, if the property can have several values. */
  readonly from?: string;
  /** The SQL condition that the property is set. */
  readonly when?: string;
  /** The name of the property's terms in the search index, if the terms represent all of its values. */
  readonly term?: string;
  /** The name of the property in the full-text index, which does not distinguish between the items of a list. */
  readonly words?: string;
  /** Whether a trigram index contains the property's values. */
  readonly hasPatterns?: boolean;
  /** Whether the model declares an index for the property. */
  readonly isIndexed?: boolean;
  /** Whether the property is a column of the search index, which has an index in every model. */
  readonly isColumn?: true;
}

/**
 * Returns the condition that one of the values equals one of several strings. PostgreSQL evaluates it with the search
 * index. `d.keys` contains the hash of each term, such as `dc:creator=ada`, and has a GIN index; `search_keys` computes
 * the hashes to look up while PostgreSQL is planning the statement.
 */
export const someTermSql = (
  term: string,
  kind: ValueKind,
  texts: readonly string[],
  { parameters }: Pick<Compilation, 'parameters'>,
): string => {
  const [name, type, values] = [
    parameters.add(term, 'text'),
    parameters.add(kind, 'text'),
    parameters.add(texts, 'text[]'),
  ];
  return `d.keys && search_keys(${name}, ${type}, ${values})`;
};

/** Returns the condition that one of the values satisfies a test. */
export function someValueSql({ value, from, when }: Operand, test: (value: string) => string): string {
  const condition = when ? `(${when} AND ${test(value)})` : test(value);
  return from ? `EXISTS (SELECT FROM ${from} WHERE ${condition})` : condition;
}

const blobFields = new Map<string, { field: string; kind: ValueKind }>([
  ['name', { field: 'name', kind: 'string' }],
  ['mime-type', { field: 'mimeType', kind: 'string' }],
  ['encoding', { field: 'encoding', kind: 'string' }],
  ['digest', { field: 'digest', kind: 'string' }],
  ['length', { field: 'length', kind: 'number' }],
]);

const kinds: Readonly<Record<Property['type'], ValueKind>> = {
  string: 'string',
  binary: 'string',
  date: 'date',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  blob: 'object',
  complex: 'object',
};

/** A step into a stored value: the name of a field, a position in a list, or `*` for all items of a list. */
type Step = string | number;

interface StoredLocation {
  readonly kind: ValueKind;
  readonly steps: readonly Step[];
  readonly isMany: boolean;
}

const unknown = (xpath: string): Invalid => new QueryFault(`unknown property: ${xpath}`);
const unnumbered = (list: string): Invalid => new QueryFault(`${list} does not have numbered elements`);

function stepFrom(property: Property, name: string, xpath: string): { step: Step; property: Property } {
  if (property.many) {
    if (name !== '*' && !/^\d{1,9}$/.test(name)) throw unknown(xpath);
    return { step: name === '*' ? '*' : Number(name), property: { ...property, many: false } };
  }
  const field = property.fields.get(name);
  if (!field) throw unknown(xpath);
  return { step: name, property: field };
}

export const namesIn = (xpath: string): string[] => xpath.replace(/\[(\d+|\*)\]/g, '/$1').split('/');

/**
 * Resolves an xpath to its location in the stored properties. `dc:subjects` is equivalent to `dc:subjects/*`.
 * @throws QueryFault if no schema has the xpath
 */
function locationOf(model: Model, name: string): StoredLocation {
  const xpath = withPrefix(model, name);
  const [first = '', ...names] = namesIn(xpath);
  let property = model.property(first);
  if (!property) throw unknown(xpath);
  const steps: Step[] = [first];
  for (const [index, step] of names.entries()) {
    const isLast = index === names.length - 1;
    const ofBlob = isLast && property.type === 'blob' && !property.many ? blobFields.get(step) : undefined;
    if (ofBlob) return { kind: ofBlob.kind, steps: [...steps, ofBlob.field], isMany: steps.includes('*') };
    const next = stepFrom(property, step, xpath);
    steps.push(next.step);
    property = next.property;
  }
  if (property.many) steps.push('*');
  return { kind: kinds[property.type], steps, isMany: steps.includes('*') };
}

/**
 * Returns the canonical name of a property: with its prefix and, for a list, without `/*`.
 * @throws QueryFault if the list is unknown
 */
export function plainName(name: string, model: Model): string {
  const xpath = withPrefix(model, name);
  const list = xpath.replace(/(?:\/|\[)\*\]?$/, '');
  if (list !== xpath && !list.startsWith('ecm:')) locationOf(model, xpath);
  return list;
}

/**
 * Returns SQL that converts a stored value to its kind. The result is NULL if the value has another type, for example
 * because the model has changed since the value was stored.
 */
function valueSql(kind: ValueKind, json: string, text: string): string {
  if (kind !== 'number' && kind !== 'boolean') return text;
  const type = kind === 'number' ? 'numeric' : 'boolean';
  return `(CASE WHEN jsonb_typeof(${json}) = '${kind}' THEN (${json})::${type} END)`;
}

/** Returns the steps as a PostgreSQL jsonpath, such as `$."files:files"[*]."file"`. */
const jsonPath = (steps: readonly Step[]): string =>
  `$${steps.map((step) => (step === '*' || typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`)).join('')}`;

/** The properties that are not stored, but computed from the table of collection members. */
const membershipColumns = new Map([
  ['collection:documentIds', { self: 'collection_id', other: 'member_id', only: '' }],
  [
    'collectionMember:collectionIds',
    { self: 'member_id', other: 'collection_id', only: 'AND NOT o.is_version' },
  ],
]);

/**
 * Returns the operand of a property that contains the members of a collection or the collections of a document. The
 * values include only documents that the caller can read.
 * @throws QueryFault for a numbered element
 */
function membershipOperand(xpath: string, { mayRead }: Compilation): Operand | undefined {
  const [list = '', element = '*', ...more] = namesIn(xpath);
  const columns = membershipColumns.get(list);
  if (!columns) return undefined;
  if (more.length > 0 || !/^(\*|\d+)$/.test(element)) throw unknown(xpath);
  if (element !== '*') throw unnumbered(list);
  const { self, other, only } = columns;
  return {
    kind: 'id',
    value: `m.${other}`,
    from: `collection_member m JOIN document o ON o.repository = m.repository AND o.id = m.${other}`,
    when: `m.repository = d.repository AND m.${self} = d.id ${only} AND ${mayRead('o')}`,
  };
}

const columns: ReadonlyMap<string, Operand> = new Map([
  ['uid:major_version', { kind: 'number', value: 'd.major_version' }],
  ['uid:minor_version', { kind: 'number', value: 'd.minor_version' }],
  ['dc:created', { kind: 'date', value: 'd.created', isColumn: true }],
  ['dc:modified', { kind: 'date', value: 'd.modified', isColumn: true }],
]);

/**
 * Returns the name of a property's terms. There is none for a single list item, because terms do not contain positions.
 */
const termOf = (steps: readonly Step[]): { readonly term?: string } =>
  steps.some((step) => typeof step === 'number')
    ? {}
    : { term: steps.filter((step) => step !== '*').join('/') };

/**
 * Returns whether the model declares an index for a property. For a list, the index is declared for the xpath
 * without the trailing `/*`.
 */
const hasDeclaredIndex = (xpath: string, { indexes }: Model): boolean =>
  indexes.has(xpath.replace(/\/\*$/, ''));

/**
 * Returns the operand of an xpath.
 * @throws QueryFault if no schema has the xpath
 */
export function propertyOperand(property: string, compilation: Compilation): Operand {
  const xpath = withPrefix(compilation.model, property);
  const { model, parameters, isUnindexed } = compilation;
  const column = columns.get(xpath);
  if (column && !(column.isColumn && isUnindexed)) return column;
  const membership = membershipOperand(xpath, compilation);
  if (membership) return membership;
  const { kind, steps, isMany } = locationOf(model, xpath);
  const words = steps.filter((step) => typeof step === 'string' && step !== '*').join('/');
  if (isMany) {
    const from = `jsonb_path_query(d.properties, ${parameters.add(jsonPath(steps), 'jsonpath')}) AS v (json)`;
    const value = valueSql(kind, 'v.json', "(v.json #>> '{}')");
    return {
      kind,
      value,
      from,
      words,
      ...termOf(steps),
      hasPatterns: kind === 'string' && hasDeclaredIndex(xpath, model),
    };
  }
  const { term } = termOf(steps);
  const isIndexed = term !== undefined && !isUnindexed && hasDeclaredIndex(xpath, model);
  if (isIndexed && (kind === 'number' || kind === 'date'))
    return { kind, value: indexedValueOf(term, kind, parameters), term, isIndexed };
  const path = parameters.add(steps.map(String), 'text[]');
  const value = valueSql(kind, `d.properties #> ${path}`, `(d.properties #>> ${path})`);
  if (term === undefined) return { kind, value, words };
  return { kind, value, words, term, isIndexed, hasPatterns: isIndexed || textsWithPatterns.includes(term) };
}

/**
 * Returns a FROM item with the elements of a list as JSON.
 * @throws QueryFault if the property is not a list
 */
export function listSql(xpath: string, { model, parameters }: Compilation): string {
  const { steps } = locationOf(model, xpath);
  if (membershipColumns.has(String(steps[0]))) throw unnumbered(String(steps[0]));
  if (steps.at(-1) !== '*') throw unknown(xpath);
  return `jsonb_path_query(d.properties, ${parameters.add(jsonPath(steps), 'jsonpath')})`;
}

/**
 * Returns the operand for a property inside a numbered element.
 * @param depth the number of steps from the document to the element
 * @param json the SQL expression for the element as JSON
 */
export function propertyOfElement(
  xpath: string,
  { depth, json }: { readonly depth: number; readonly json: string },
  { model, parameters }: Compilation,
): Operand {
  const { kind, steps } = locationOf(model, xpath.replace(/\/\*\d+/, '/*'));
  const rest = steps.slice(depth);
  if (!rest.includes('*')) {
    const path = parameters.add(rest.map(String), 'text[]');
    return { kind, value: valueSql(kind, `${json} #> ${path}`, `(${json} #>> ${path})`) };
  }
  const from = `jsonb_path_query(${json}, ${parameters.add(jsonPath(rest), 'jsonpath')}) AS v (json)`;
  return { kind, value: valueSql(kind, 'v.json', "(v.json #>> '{}')"), from };
}
