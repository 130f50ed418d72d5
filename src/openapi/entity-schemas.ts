import {
  type GraphQLField,
  type GraphQLNamedOutputType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Field, type NestedKind, type Selection, type SelectionNode } from '../selection/selection.ts';
import { anyOfSchemas, capitalized, type Json, orNull, ref } from './json-schema.ts';

interface EntitySchema {
  readonly description: string | undefined;
  readonly properties: Map<string, { readonly description: string | undefined; readonly values: Json[] }>;
  /** The properties that the entity has in every selection. */
  required: readonly string[] | undefined;
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

/** Fields of the GraphQL type JSON whose values are objects. */
const objectFields: ReadonlySet<string> = new Set([
  'properties',
  'extended',
  'doctypes',
  'schemas',
  'fields',
]);

export const selectionOf = (node: SelectionNode | undefined): Selection | undefined =>
  node === true || node === undefined ? undefined : node instanceof Field ? node.of : node;

/** The GraphQL field that a node selects; undefined for constants. */
export const selectedField = (
  type: GraphQLObjectType,
  key: string,
  node: SelectionNode | undefined,
): GraphQLField<unknown, unknown> | undefined =>
  type.getFields()[node instanceof Field ? (node.name ?? key) : key];

/** Whether the response omits the property when the field is null or an empty list. */
function mayBeMissing(type: GraphQLOutputType, node: SelectionNode): boolean {
  if (!(node instanceof Field)) return false;
  if (node.assign) return true;
  if (!node.format) return false;
  if (node.isFirstNonNull) return !isNonNullType(type);
  const isList = isListType(getNullableType(type));
  const empty = [...(isNonNullType(type) ? [] : [null]), ...(isList ? [[]] : [null])];
  return empty.some((value) => node.format?.(value) === undefined);
}

/** The capitalized `entity-type` of a selection; undefined for objects without one. */
function entityTypeOf(type: GraphQLObjectType, { 'entity-type': entity }: Selection): string | undefined {
  const isConstant = entity instanceof Field && entity.name === '__typename';
  return isConstant ? capitalized(String(entity.format?.(type.name))) : undefined;
}

/**
 * Whether a selection is for a document that is not stored. Such a document has no `uid`, and therefore a separate
 * schema.
 */
const isUnstored = ({ uid }: Selection): boolean => uid instanceof Field && uid.name === '__typename';

/**
 * Collects the schemas of all entities in responses. The REST selections determine which fields the entities have, and
 * the GraphQL schema determines the types of these fields.
 */
export class EntitySchemas {
  private readonly schema: GraphQLSchema;
  private readonly entities = new Map<string, EntitySchema>();
  /**
   * The prefix of the names of nested objects: the name of the enclosing entity if it differs from the entity's
   * GraphQL type.
   */
  private prefix = '';

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  valueSchema(type: GraphQLOutputType, key: string, node: SelectionNode): Json {
    const schema = this.nonNullSchema(getNullableType(type), key, node);
    return isNonNullType(type) || mayBeMissing(type, node) ? schema : orNull(schema);
  }

  /** The schemas of a type's selected fields, if each object has only one of these fields. */
  alternatives(type: GraphQLObjectType, selection: Selection): Json[] {
    return Object.entries(selection).flatMap(([key, node]) => {
      const field = selectedField(type, key, node);
      return field ? [this.nonNullSchema(getNullableType(field.type), key, node)] : [];
    });
  }

  private nonNullSchema(
    type: GraphQLNullableType & GraphQLOutputType,
    key: string,
    node: SelectionNode,
  ): Json {
    if (isListType(type) && node instanceof Field && node.isById)
      return { type: 'object', additionalProperties: this.valueSchema(type.ofType, key, node.of ?? true) };
    if (isListType(type) && node instanceof Field && node.isOfEntities)
      return { type: 'array', items: this.entityOrId(getNamedType(type) as GraphQLObjectType, key, node) };
    if (isListType(type)) return { type: 'array', items: this.valueSchema(type.ofType, key, node) };
    if (node instanceof Field && node.nested) return ref('schemas', `Nested${capitalized(node.nested)}`);
    const selection = selectionOf(node);
    if (isObjectType(type) && selection) {
      if (node instanceof Field && node.isFirstNonNull)
        return anyOfSchemas(this.alternatives(type, selection));
      const name = this.nameOf(type, selection);
      this.add(name, type, selection);
      if (key === 'contextParameters') this.limitRequired(name, []);
      return ref('schemas', name);
    }
    const { name } = type as GraphQLNamedOutputType;
    return name === 'JSON' && objectFields.has(key) ? { type: 'object' } : (scalars[name] ?? {});
  }

  private entityOrId(type: GraphQLObjectType, key: string, { of: { id, ...entities } = {} }: Field): Json {
    const own = this.nonNullSchema(type, key, { id: id ?? true });
    return anyOfSchemas([...this.alternatives(type, entities), own]);
  }

  private property(type: GraphQLObjectType, key: string, node: SelectionNode) {
    const field = selectedField(type, key, node);
    if (field) {
      const value = this.valueSchema(field.type, key, node);
      const description = field.description || undefined;
      return { value, isRequired: !mayBeMissing(field.type, node), description };
    }
    const constant = node instanceof Field ? node.format?.(type.name) : undefined;
    const value = { ...(typeof constant === 'string' && { type: 'string' }), const: constant };
    return { value, isRequired: true, description: undefined };
  }

  /**
   * The name of an entity's schema: its `entity-type`, or its GraphQL type if another GraphQL type has that
   * name. Lists of nested entities get the prefix `Nested`.
   */
  private nameOf(type: GraphQLObjectType, selection: Selection): string {
    const { entries } = selection;
    const entity = entityTypeOf(type, selection) ?? this.prefix + type.name;
    const name = this.schema.getType(entity) ? type.name : entity;
    if (isUnstored(selection)) return `Unstored${name}`;
    return entries instanceof Field && entries.nested ? `Nested${name}` : name;
  }

  private add(name: string, type: GraphQLObjectType, selection: Selection): void {
    const entity: EntitySchema = this.entities.get(name) ?? {
      description: (name === type.name && type.description) || undefined,
      properties: new Map(),
      required: undefined,
      selections: new WeakSet(),
    };
    this.entities.set(name, entity);
    if (entity.selections.has(selection)) return;
    entity.selections.add(selection);
    const outerPrefix = this.prefix;
    this.prefix = (entityTypeOf(type, selection) ?? type.name) === type.name ? '' : name;
    const required: string[] = [];
    for (const [own, node] of Object.entries(selection)) {
      const [key = own, ...deeper] = (node instanceof Field && node.targetPath) || [own];
      if (deeper.length > 0) continue; // the field is added inside a property of arbitrary JSON
      const { value, isRequired, description } = this.property(type, own, node);
      const property = entity.properties.get(key) ?? { description, values: [] };
      property.values.push(value);
      entity.properties.set(key, property);
      if (isRequired) required.push(key);
    }
    this.prefix = outerPrefix;
    this.limitRequired(name, required);
  }

  private limitRequired(name: string, keys: readonly string[]): void {
    const entity = this.entities.get(name);
    if (entity) entity.required = keys.filter((key) => entity.required?.includes(key) ?? true);
  }

  /**
   * Registers an entity that can be nested in another one.
   * @param required the properties that the entity has even after it has been deleted
   */
  addNested(kind: NestedKind, selection: Selection, required: readonly string[]): void {
    const type = this.schema.getType(capitalized(kind));
    if (!isObjectType(type)) throw new Error(`The schema has no type ${capitalized(kind)}.`);
    this.add(`Nested${capitalized(kind)}`, type, selection);
    this.limitRequired(`Nested${capitalized(kind)}`, required);
  }

  schemas(): Record<string, Json> {
    const withDescription = (description: string | undefined) => description && { description };
    const schemas = [...this.entities].map(([name, { description, properties, required = [] }]) => [
      name,
      {
        type: 'object',
        ...withDescription(description),
        properties: Object.fromEntries(
          [...properties].map(([key, property]) => [
            key,
            { ...anyOfSchemas(property.values), ...withDescription(property.description) },
          ]),
        ),
        ...(required.length > 0 && { required }),
      },
    ]);
    return Object.fromEntries(schemas.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  }
}
