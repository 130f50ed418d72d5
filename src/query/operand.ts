import { Invalid } from '../errors.ts';
import type { Model, Property } from '../model/model.ts';
import type { Parameters } from './parameters.ts';

/** What a query is compiled with. The statement has documents `d`, and its first parameter is their repository. */
export interface Compilation {
  readonly model: Model;
  readonly parameters: Parameters;
  /** When the query is made, as dates are stored. */
  readonly now: string;
  /** The condition that the caller may read another document, of which the alias is given. */
  readonly mayRead: (alias: string) => string;
}

/** What values can be compared with. An object can only be there or not. */
export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'id' | 'object';

/** What a property stands for in a statement. */
export interface Operand {
  readonly kind: Kind;
  /** Its value: text (of a date, as it is stored), numeric, boolean, or uuid; NULL when it is unset. */
  readonly value: string;
  /** Where its values are from, when there are several. */
  readonly from?: string;
  /** What a document must be to have it. */
  readonly when?: string;
}

/** That a document has the property, with a value that a test holds for. */
export function some({ value, from, when }: Operand, test: (value: string) => string): string {
  const held = when ? `(${when} AND ${test(value)})` : test(value);
  return from ? `EXISTS (SELECT FROM ${from} WHERE ${held})` : held;
}

/** The fields of blobs that can be asked for, by the names that answers give them, and how they are stored. */
const blobFields: Readonly<Record<string, { field: string; kind: Kind }>> = {
  name: { field: 'name', kind: 'string' },
  'mime-type': { field: 'mimeType', kind: 'string' },
  encoding: { field: 'encoding', kind: 'string' },
  digest: { field: 'digest', kind: 'string' },
  length: { field: 'length', kind: 'number' },
};

const kinds: Readonly<Record<Property['type'], Kind>> = {
  string: 'string',
  binary: 'string',
  date: 'date',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  blob: 'object',
  complex: 'object',
};

/** From the properties of a document to a value: names of fields, positions in lists, or `*` for all of a list. */
type Step = string | number;

interface Place {
  readonly kind: Kind;
  readonly steps: readonly Step[];
  readonly isMany: boolean;
}

const unknown = (xpath: string): Invalid => new Invalid(`query: unknown property: ${xpath}`);

/** One step further from a property. */
function stepFrom(property: Property, name: string, xpath: string): { step: Step; property: Property } {
  if (property.many) {
    if (name !== '*' && !/^\d{1,9}$/.test(name)) throw unknown(xpath);
    return { step: name === '*' ? '*' : Number(name), property: { ...property, many: false } };
  }
  const field = property.fields.get(name);
  if (!field) throw unknown(xpath);
  return { step: name, property: field };
}

/** What an xpath means; `dc:subjects` is the same as `dc:subjects/*`. @throws Invalid when no schema has it. */
function placeOf(model: Model, xpath: string): Place {
  const [first = '', ...names] = xpath.replace(/\[(\d+|\*)\]/g, '/$1').split('/');
  let property = model.property(first);
  if (!property) throw unknown(xpath);
  const steps: Step[] = [first];
  for (const [index, name] of names.entries()) {
    const ofBlob = property.type === 'blob' && !property.many && Object.hasOwn(blobFields, name);
    if (ofBlob && index === names.length - 1) {
      const { field, kind } = blobFields[name] ?? { field: name, kind: 'string' };
      return { kind, steps: [...steps, field], isMany: steps.includes('*') };
    }
    const next = stepFrom(property, name, xpath);
    steps.push(next.step);
    property = next.property;
  }
  if (property.many) steps.push('*');
  return { kind: kinds[property.type], steps, isMany: steps.includes('*') };
}

/** The SQL of a stored value, from it as JSON and as text; one of another type than the model says is none. */
function valueSql(kind: Kind, json: string, text: string): string {
  if (kind !== 'number' && kind !== 'boolean') return text;
  const type = kind === 'number' ? 'numeric' : 'boolean';
  return `(CASE WHEN jsonb_typeof(${json}) = '${kind}' THEN (${json})::${type} END)`;
}

const jsonPath = (steps: readonly Step[]): string =>
  `$${steps.map((step) => (step === '*' || typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`)).join('')}`;

/** Both ends of memberships in collections, which are not among the stored properties; nobody is told of what he may not read. */
const memberships: Readonly<Record<string, { own: string; other: string }>> = {
  'collection:documentIds': { own: 'collection_id', other: 'member_id' },
  'collectionMember:collectionIds': { own: 'member_id', other: 'collection_id' },
};

function membershipOperand(xpath: string, { mayRead }: Compilation): Operand | undefined {
  const name = xpath.replace(/\/\*$/, '');
  const ends = Object.hasOwn(memberships, name) ? memberships[name] : undefined;
  if (!ends) return undefined;
  const { own, other } = ends;
  return {
    kind: 'id',
    value: `m.${other}`,
    from: `collection_member m JOIN document o ON o.repository = m.repository AND o.id = m.${other}`,
    when: `m.repository = d.repository AND m.${own} = d.id AND ${mayRead('o')}`,
  };
}

const versionNumbers: Readonly<Record<string, string>> = {
  'uid:major_version': 'd.major_version',
  'uid:minor_version': 'd.minor_version',
};

/** The operand of an xpath. @throws Invalid when no schema has it. */
export function propertyOperand(xpath: string, compilation: Compilation): Operand {
  const column = Object.hasOwn(versionNumbers, xpath) ? versionNumbers[xpath] : undefined;
  if (column) return { kind: 'number', value: column };
  const membership = membershipOperand(xpath, compilation);
  if (membership) return membership;
  const { model, parameters } = compilation;
  const { kind, steps, isMany } = placeOf(model, xpath);
  if (isMany) {
    const from = `jsonb_path_query(d.properties, ${parameters.add(jsonPath(steps), 'jsonpath')}) AS v (json)`;
    return { kind, value: valueSql(kind, 'v.json', "(v.json #>> '{}')"), from };
  }
  const path = parameters.add(steps.map(String), 'text[]');
  return { kind, value: valueSql(kind, `d.properties #> ${path}`, `(d.properties #>> ${path})`) };
}
