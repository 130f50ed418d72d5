import {
  type GraphQLNamedOutputType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Field, type InsideKind, type Node, type Selection } from '../../selection.ts';
import { anyOf, type Json, orNull, ref } from './json-schema.ts';

/** What is known of a kind of object by every selection of it so far. */
interface Seen {
  readonly description: string | undefined;
  readonly properties: Map<string, { readonly description?: string | undefined; readonly values: Json[] }>;
  /** What each of them shows. */
  required: ReadonlySet<string> | undefined;
  readonly selections: WeakSet<Selection>;
}

const scalars: Readonly<Record<string, Json>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  JSON: {},
};

/** Fields of type JSON that always are objects. */
const objects: ReadonlySet<string> = new Set(['properties', 'extended', 'doctypes', 'schemas', 'fields']);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a node asks of the fields of an object. */
export const selectionOf = (node: Node | undefined): Selection | undefined =>
  node === true || node === undefined ? undefined : node instanceof Field ? node.of : node;

/** The name of the field that a node of a selection asks for. */
export const askedBy = (key: string, node: Node | undefined): string =>
  node instanceof Field ? (node.name ?? key) : key;

/** Whether a field is left out of the answer when there is nothing: found by showing it whatever it can be of that. */
function mayBeMissing(type: GraphQLOutputType, node: Node): boolean {
  if (!(node instanceof Field)) return false;
  if (node.join) return true;
  if (!node.show) return false;
  if (node.isEither) return !isNonNullType(type);
  const isList = isListType(getNullableType(type));
  const nothings = [...(isNonNullType(type) ? [] : [null]), ...(isList ? [[]] : [null])];
  return nothings.some((nothing) => node.show?.(nothing) === undefined);
}

/** The type of entity that an object is, as a name; nothing when it is none. */
function entityOf(type: GraphQLObjectType, { 'entity-type': entity }: Selection): string | undefined {
  const isSaid = entity instanceof Field && entity.name === '__typename';
  return isSaid ? capital(String(entity.show?.(type.name))) : undefined;
}

/** Collects the schemas of all entities that answers show, from what REST asks of the GraphQL schema. */
export class Components {
  private readonly schema: GraphQLSchema;
  private readonly seen = new Map<string, Seen>();
  /** The entity of another type than its own whose parts are looked at: they are its own, too. */
  private within = '';

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  /** What answers show of a field, whose type may be null. */
  value(type: GraphQLOutputType, key: string, node: Node): Json {
    const value = this.there(getNullableType(type), key, node);
    return isNonNullType(type) || mayBeMissing(type, node) ? value : orNull(value);
  }

  /** The same, when it is not null. */
  there(type: GraphQLNullableType & GraphQLOutputType, key: string, node: Node): Json {
    if (isListType(type) && node instanceof Field && node.isById)
      return { type: 'object', additionalProperties: this.value(type.ofType, key, node.of ?? true) };
    if (isListType(type)) return { type: 'array', items: this.value(type.ofType, key, node) };
    if (node instanceof Field && node.inside) return ref('schemas', `Nested${capital(node.inside)}`);
    const selection = selectionOf(node);
    if (isObjectType(type) && selection)
      return node instanceof Field && node.isEither
        ? anyOf(this.parts(type, selection))
        : this.object(type, selection, key === 'contextParameters');
    const { name } = type as GraphQLNamedOutputType;
    return name === 'JSON' && objects.has(key) ? { type: 'object' } : (scalars[name] ?? {});
  }

  /** What is shown of the parts of which only one is there. */
  private parts(type: GraphQLObjectType, selection: Selection): Json[] {
    return Object.entries(selection).flatMap(([key, node]) => {
      const field = type.getFields()[askedBy(key, node)];
      return field ? [this.there(getNullableType(field.type), key, node)] : [];
    });
  }

  /** What is shown of a field, and whether it is there whatever it is. */
  private field(type: GraphQLObjectType, key: string, node: Node) {
    const field = type.getFields()[askedBy(key, node)];
    if (field) {
      const { description } = field;
      const isRequired = !mayBeMissing(field.type, node);
      return { value: this.value(field.type, key, node), isRequired, ...(description && { description }) };
    }
    // What is the same whatever the schema says: the entity type above all.
    const value = node instanceof Field ? node.show?.(type.name) : undefined;
    return {
      value: { ...(typeof value === 'string' && { type: 'string' }), const: value },
      isRequired: true,
    };
  }

  /** What an object is called: as the entity that it is, unless another type is called so; a list, as its entries. */
  private nameOf(type: GraphQLObjectType, selection: Selection): string {
    const { entries } = selection;
    const entity = entityOf(type, selection) ?? this.within + type.name;
    const name = this.schema.getType(entity) ? type.name : entity;
    return entries instanceof Field && entries.inside ? `Nested${name}` : name;
  }

  /** An object, of which some or no field need be there. */
  private object(type: GraphQLObjectType, selection: Selection, isOpen: boolean): Json {
    const name = this.nameOf(type, selection);
    this.see(name, type, selection);
    if (isOpen) this.requireOnly(name, []);
    return ref('schemas', name);
  }

  private of(name: string, description?: string): Seen {
    const seen = this.seen.get(name) ?? {
      ...{ description, properties: new Map(), required: undefined, selections: new WeakSet() },
    };
    this.seen.set(name, seen);
    return seen;
  }

  private see(name: string, type: GraphQLObjectType, selection: Selection): void {
    const seen = this.of(name, name === type.name ? (type.description ?? undefined) : undefined);
    if (seen.selections.has(selection)) return;
    seen.selections.add(selection);
    const outer = this.within;
    this.within = (entityOf(type, selection) ?? type.name) === type.name ? '' : name;
    const required: string[] = [];
    for (const [own, node] of Object.entries(selection)) {
      const [key = own, ...deeper] = (node instanceof Field && node.at) || [own];
      if (deeper.length > 0) continue; // inside of what is any JSON
      const { value, isRequired, description } = this.field(type, own, node);
      const property = seen.properties.get(key) ?? { description, values: [] };
      property.values.push(value);
      seen.properties.set(key, property);
      if (isRequired) required.push(key);
    }
    this.within = outer;
    this.requireOnly(name, required);
  }

  private requireOnly(name: string, keys: readonly string[]): void {
    const seen = this.of(name);
    seen.required = new Set(keys.filter((key) => seen.required?.has(key) ?? true));
  }

  /** Takes in an entity as it is inside of others, and the fields that it has even when nothing is known of it. */
  nested(kind: InsideKind, selection: Selection, least: readonly string[]): void {
    const type = this.schema.getType(capital(kind));
    if (!isObjectType(type)) throw new Error(`there is no type ${capital(kind)}`);
    this.see(`Nested${capital(kind)}`, type, selection);
    this.requireOnly(`Nested${capital(kind)}`, least);
  }

  /** All that were seen, by name. */
  schemas(): Record<string, Json> {
    const schemas = [...this.seen].map(([name, { description, properties, required = new Set() }]) => [
      name,
      {
        type: 'object',
        ...(description && { description }),
        properties: Object.fromEntries(
          [...properties].map(([key, property]) => [
            key,
            { ...anyOf(property.values), ...(property.description && { description: property.description }) },
          ]),
        ),
        ...(required.size > 0 && { required: [...required] }),
      },
    ]);
    return Object.fromEntries(schemas.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  }
}
