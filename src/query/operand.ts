import type { Invalid } from '../errors.ts';
import type { Model, Property } from '../model/model.ts';
import { withPrefix } from '../model/values/bare-names.ts';
import { QueryBudget } from './budget.ts';
import { FullTexts } from './full-text.ts';
import { keptOf, textsWithPatterns } from './indexes/kept-values.ts';
import type { SqlParameters } from './parameters.ts';
import { QueryFault } from './query-fault.ts';
import type { ValueKind } from './value-kind.ts';

/** The SQL is about documents `d` of the view `searchable`; $1 of the statement is their repository. */
export interface Compilation {
  readonly model: Model;
  readonly parameters: SqlParameters;
  /** The time of the query, in the format of stored dates. */
  readonly now: string;
  /** The condition that the caller may read the document of an alias. */
  readonly mayRead: (alias: string) => string;
  /** The condition that the caller may read its ACLs. */
  readonly mayReadAcl: (alias: string) => string;
  /** Aliases of the numbered elements (`dc:subjects/*1`) in whose condition this is. */
  readonly elements: ReadonlyMap<string, string>;
  readonly budget: QueryBudget;
  readonly fullTexts: FullTexts;
  /** The SQL of the words of its full texts, so far. */
  readonly sought: Set<string>;
  /** Whether this is within a NOT, which holds for most documents: an index of what does not is of no use. */
  readonly isNegated: boolean;
  /** Whether `d` is the table of documents, which has no columns of the search index. */
  readonly isUnindexed: boolean;
  /** Of the whole query so far: required conditions with a subquery, patterns looked for by words. */
  readonly counts: { joins: number; wordPatterns: number };
}

export function newCompilation(
  given: Pick<Compilation, 'model' | 'parameters' | 'now' | 'mayRead' | 'mayReadAcl'> &
    Partial<Pick<Compilation, 'isUnindexed'>>,
): Compilation {
  const budget = new QueryBudget();
  return {
    isUnindexed: false,
    ...given,
    elements: new Map(),
    budget,
    fullTexts: new FullTexts(budget),
    sought: new Set(),
    isNegated: false,
    counts: { joins: 0, wordPatterns: 0 },
  };
}

export interface Operand {
  readonly kind: ValueKind;
  /** The value: text (dates too), numeric, boolean, or uuid; NULL when unset. */
  readonly value: string;
  /** The FROM item of the values, when there are several. */
  readonly from?: string;
  readonly when?: string;
  /** The name of the terms of the search index that are all of its values. */
  readonly term?: string;
  /** Whether a trigram index knows its texts. */
  readonly hasPatterns?: boolean;
  /** Whether the model has asked for indexes of it. */
  readonly isKept?: boolean;
  /** Whether it has a column of its own, with an index in every model. */
  readonly isColumn?: true;
}

/** The condition that one of the values is one of some texts, from the search index. */
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

/** A step into a stored value: a field, the position in a list, or `*` for all items of it. */
type Step = string | number;

interface StoredLocation {
  readonly kind: ValueKind;
  readonly steps: readonly Step[];
  readonly isMany: boolean;
}

const unknown = (xpath: string): Invalid => new QueryFault(`unknown property: ${xpath}`);
const unnumbered = (list: string): Invalid => new QueryFault(`${list} has no numbered elements`);

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

/** Resolves an xpath; `dc:subjects` is the same as `dc:subjects/*`. @throws Invalid when no schema has it. */
function locationOf(model: Model, given: string): StoredLocation {
  const xpath = withPrefix(model, given);
  const [first = '', ...names] = namesIn(xpath);
  let property = model.property(first);
  if (!property) throw unknown(xpath);
  const steps: Step[] = [first];
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const ofBlob = isLast && property.type === 'blob' && !property.many ? blobFields.get(name) : undefined;
    if (ofBlob) return { kind: ofBlob.kind, steps: [...steps, ofBlob.field], isMany: steps.includes('*') };
    const next = stepFrom(property, name, xpath);
    steps.push(next.step);
    property = next.property;
  }
  if (property.many) steps.push('*');
  return { kind: kinds[property.type], steps, isMany: steps.includes('*') };
}

/** One name for each property: with its prefix, a list as a whole. @throws Invalid on an unknown list */
export function plainName(given: string, model: Model): string {
  const xpath = withPrefix(model, given);
  const list = xpath.replace(/(?:\/|\[)\*\]?$/, '');
  if (list !== xpath && !list.startsWith('ecm:')) locationOf(model, xpath);
  return list;
}

/** The SQL of a stored value; NULL if the model has changed since and it is of another type. */
function valueSql(kind: ValueKind, json: string, text: string): string {
  if (kind !== 'number' && kind !== 'boolean') return text;
  const type = kind === 'number' ? 'numeric' : 'boolean';
  return `(CASE WHEN jsonb_typeof(${json}) = '${kind}' THEN (${json})::${type} END)`;
}

const jsonPath = (steps: readonly Step[]): string =>
  `$${steps.map((step) => (step === '*' || typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`)).join('')}`;

/** Memberships in collections are rows of a table, not stored properties. */
const membershipColumns = new Map([
  ['collection:documentIds', { self: 'collection_id', other: 'member_id', only: '' }],
  [
    'collectionMember:collectionIds',
    { self: 'member_id', other: 'collection_id', only: 'AND NOT o.is_version' },
  ],
]);

/** Only members and collections that the caller may read count. @throws Invalid on a numbered one */
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

/** Terms are of lists as a whole. */
const termOf = (steps: readonly Step[]): { readonly term?: string } =>
  steps.some((step) => typeof step === 'number')
    ? {}
    : { term: steps.filter((step) => step !== '*').join('/') };

/** Whether the model asks for an index; a list is asked for as `dc:subjects` or `dc:subjects/*`. */
const isAsked = (xpath: string, { indexes }: Model): boolean => indexes.has(xpath.replace(/\/\*$/, ''));

export function propertyOperand(given: string, compilation: Compilation): Operand {
  const xpath = withPrefix(compilation.model, given);
  const { model, parameters, isUnindexed } = compilation;
  const column = columns.get(xpath);
  if (column && !(column.isColumn && isUnindexed)) return column;
  const membership = membershipOperand(xpath, compilation);
  if (membership) return membership;
  const { kind, steps, isMany } = locationOf(model, xpath);
  if (isMany) {
    const from = `jsonb_path_query(d.properties, ${parameters.add(jsonPath(steps), 'jsonpath')}) AS v (json)`;
    const value = valueSql(kind, 'v.json', "(v.json #>> '{}')");
    return { kind, value, from, ...termOf(steps), hasPatterns: kind === 'string' && isAsked(xpath, model) };
  }
  const { term } = termOf(steps);
  const isKept = term !== undefined && !isUnindexed && isAsked(xpath, model);
  if (isKept && (kind === 'number' || kind === 'date'))
    return { kind, value: keptOf(term, kind, parameters), term, isKept };
  const path = parameters.add(steps.map(String), 'text[]');
  const value = valueSql(kind, `d.properties #> ${path}`, `(d.properties #>> ${path})`);
  if (term === undefined) return { kind, value };
  return { kind, value, term, isKept, hasPatterns: isKept || textsWithPatterns.includes(term) };
}

/** The elements of a list, as JSON. @throws Invalid when it is none. */
export function listSql(xpath: string, { model, parameters }: Compilation): string {
  const { steps } = locationOf(model, xpath);
  if (membershipColumns.has(String(steps[0]))) throw unnumbered(String(steps[0]));
  if (steps.at(-1) !== '*') throw unknown(xpath);
  return `jsonb_path_query(d.properties, ${parameters.add(jsonPath(steps), 'jsonpath')})`;
}

/** @param depth the steps that lead to the numbered element. @param json the SQL of that. */
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
