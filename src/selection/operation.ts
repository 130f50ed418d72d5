import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';
import { Field, Input, responseKey, type Selection, type SelectionNode } from './selection.ts';

/** The kind of a GraphQL operation. `outsideTransaction` stands for a mutation that must not run in a transaction. */
export type OperationKind = 'query' | 'mutation' | 'outsideTransaction';

export interface GraphqlOperation {
  readonly kind: OperationKind;
  readonly document: DocumentNode;
  /** Values of variables that are the same for every request. */
  readonly constants: Readonly<Record<string, unknown>>;
  /**
   * The names and types of the values that each request provides. `responseKey` converts such a name to the name of a
   * variable.
   */
  readonly inputs: ReadonlyMap<string, GraphQLInputType>;
}

/** Whether a value is an object that contains an `Input` at any depth. */
const hasInput = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Input) &&
  Object.values(value).some((part) => part instanceof Input || hasInput(part));

/**
 * Compiles a selection into a GraphQL operation. Every value becomes a variable of the type that the schema requires.
 * @throws Error for a field or argument that the schema does not have.
 */
export function toOperation(
  schema: GraphQLSchema,
  kind: OperationKind,
  selection: Selection,
): GraphqlOperation {
  const constants: Record<string, unknown> = {};
  const inputs = new Map<string, GraphQLInputType>();
  const types = new Map<string, string>();

  function variableText(value: unknown, type: GraphQLInputType): string {
    if (!(value instanceof Input)) {
      const name = `constant${Object.keys(constants).length}`;
      constants[name] = value;
      types.set(name, String(type));
      return `$${name}`;
    }
    const name = responseKey(value.name);
    const known = types.get(name) ?? String(type);
    if (known !== String(type)) {
      throw new Error(`the input ${value.name} is used both as ${known} and as ${type}`);
    }
    inputs.set(value.name, type);
    types.set(name, known);
    return `$${name}`;
  }

  /** A variable, or an object literal that contains variables if a request provides only parts of the object. */
  function valueText(value: unknown, type: GraphQLInputType): string {
    const object = getNullableType(type);
    if (!hasInput(value) || !isInputObjectType(object)) return variableText(value, type);
    const known = object.getFields();
    const fields = Object.entries(value).map(([name, part]) => {
      const field = known[name];
      if (!field) throw new Error(`${object.name} has no field ${name}`);
      return `${name}: ${valueText(part, field.type)}`;
    });
    return `{ ${fields.join(', ')} }`;
  }

  function fieldText(
    parent: GraphQLObjectType | GraphQLInterfaceType,
    key: string,
    node: SelectionNode,
  ): string {
    const field = node instanceof Field ? node : new Field({ of: node === true ? undefined : node });
    const name = field.name ?? key;
    const alias = responseKey(key);
    const head = alias === name ? name : `${alias}: ${name}`;
    if (name === '__typename') return head;

    const definition = parent.getFields()[name];
    if (!definition) throw new Error(`${parent.name} has no field ${name}`);
    const values = Object.entries(field.arguments).map(([argument, value]) => {
      const type = definition.args.find((candidate) => candidate.name === argument)?.type;
      if (!type) throw new Error(`${name} has no argument ${argument}`);
      return `${argument}: ${valueText(value, type)}`;
    });
    const list = values.length > 0 ? `(${values.join(', ')})` : '';
    return head + list + (field.of ? selectionText(getNamedType(definition.type), field.of) : '');
  }

  function selectionText(type: unknown, of: Selection): string {
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${String(type)} has no fields`);
    return ` { ${Object.entries(of)
      .map(([key, node]) => fieldText(type, key, node))
      .join(' ')} }`;
  }

  const isQuery = kind === 'query';
  const root = isQuery ? schema.getQueryType() : schema.getMutationType();
  const body = selectionText(root, selection);
  const variables = [...types].map(([name, type]) => `$${name}: ${type}`).join(', ');
  const text = `${isQuery ? 'query' : 'mutation'}${variables && `(${variables})`}${body}`;
  return { kind, document: parse(text, { noLocation: true }), constants, inputs };
}
