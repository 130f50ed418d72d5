import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type ObjectFieldNode,
  OperationTypeNode,
  parseType,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Meter } from './db/meter.ts';
import type { Principal, RequestOptions } from './scope.ts';
import { Field, Input, type Node, responseKey, type Selection } from './selection.ts';

/** A selection made executable. */
export interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly document: DocumentNode;
  /** Values that every run has. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Names and types of the values that each run brings; each is a variable called by its `responseKey`. */
  readonly inputs: ReadonlyMap<string, GraphQLInputType>;
}

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const;

/** Whether something around a value is the same for every request, and something in it, however deep, is not. */
const hasInput = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Input) &&
  Object.values(value).some((part) => part instanceof Input || hasInput(part));

/**
 * Compiles a selection; argument types come from the schema, and every value becomes a variable.
 * @throws Error on a field or argument that the schema does not have.
 */
export function toOperation(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation',
  selection: Selection,
): Operation {
  const constants: Record<string, unknown> = {};
  const inputs = new Map<string, GraphQLInputType>();
  const types = new Map<string, string>();

  function variable(value: unknown, type: GraphQLInputType): string {
    if (value instanceof Input) {
      const name = responseKey(value.name);
      const known = types.get(name);
      if (known !== undefined && known !== String(type)) {
        throw new Error(`the input ${value.name} is wanted both as ${known} and as ${type}`);
      }
      inputs.set(value.name, type);
      types.set(name, String(type));
      return name;
    }
    const name = `constant${Object.keys(constants).length}`;
    constants[name] = value;
    types.set(name, String(type));
    return name;
  }

  function argumentNode(field: GraphQLField<unknown, unknown>, name: string, value: unknown): ArgumentNode {
    const argument = field.args.find((candidate) => candidate.name === name);
    if (!argument) throw new Error(`${field.name} has no argument ${name}`);
    return {
      kind: Kind.ARGUMENT,
      name: nameNode(name),
      value: valueNode(value, argument.type),
    };
  }

  /** A variable; or an object around variables, where each request brings a part of it. */
  function valueNode(value: unknown, type: GraphQLInputType): ValueNode {
    const object = getNullableType(type);
    if (!hasInput(value) || !isInputObjectType(object)) {
      return { kind: Kind.VARIABLE, name: nameNode(variable(value, type)) };
    }
    const known = object.getFields();
    const fields = Object.entries(value).map(([name, part]): ObjectFieldNode => {
      const field = known[name];
      if (!field) throw new Error(`${object.name} has no field ${name}`);
      return { kind: Kind.OBJECT_FIELD, name: nameNode(name), value: valueNode(part, field.type) };
    });
    return { kind: Kind.OBJECT, fields };
  }

  function fieldNode(parent: GraphQLObjectType, key: string, node: Node): FieldNode {
    const asked = node instanceof Field ? node : new Field({ of: node === true ? undefined : node });
    const name = asked.name ?? key;
    const alias = responseKey(key);
    const base = {
      kind: Kind.FIELD,
      name: nameNode(name),
      ...(alias !== name && { alias: nameNode(alias) }),
    } as const;
    if (name === '__typename') return base;

    const field = parent.getFields()[name];
    if (!field) throw new Error(`${parent.name} has no field ${name}`);
    const given = Object.entries(asked.arguments);
    const type = getNamedType(field.type);
    return {
      ...base,
      arguments: given.map(([argument, value]) => argumentNode(field, argument, value)),
      ...(asked.of && { selectionSet: selectionSet(type, asked.of) }),
    };
  }

  function selectionSet(type: unknown, of: Selection): SelectionSetNode {
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${String(type)} has no fields`);
    const nodes = Object.entries(of).map(([key, node]) => fieldNode(type as GraphQLObjectType, key, node));
    return { kind: Kind.SELECTION_SET, selections: nodes };
  }

  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const selections = selectionSet(root, selection);
  const variableDefinitions = [...types].map(
    ([name, type]): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: nameNode(name) },
      type: parseType(type, { noLocation: true }),
    }),
  );
  const operation = kind === 'query' ? OperationTypeNode.QUERY : OperationTypeNode.MUTATION;
  const definition = {
    kind: Kind.OPERATION_DEFINITION,
    operation,
    variableDefinitions,
    selectionSet: selections,
  } as const;
  return { kind, document: { kind: Kind.DOCUMENT, definitions: [definition] }, constants, inputs };
}

/** A write that is done once, however often it is sent (§9 `Idempotency-Key`). */
export interface Once {
  readonly key: string;
  /** Everything about the request that counts, as text. */
  readonly request: string;
}

/** Work whose answer is kept until somebody asks for it (§4.7). */
export interface Execution {
  readonly id: string;
  /** Told when it is to end early; with what to throw. */
  readonly signal: AbortSignal;
}

/** Who asks, and how: what an operation is run with besides its values. */
export interface Caller {
  readonly user: Principal;
  readonly options: RequestOptions;
  /** Where its statements are counted. */
  readonly meter: Meter;
  /** Of a write that must not be done again. */
  readonly once?: Once | undefined;
  /** Of work that nobody waits for. */
  readonly execution?: Execution;
}

/**
 * Runs an operation in-process and answers its data.
 * @throws AppError the first error that a resolver threw.
 */
export type Ask = (
  operation: Operation,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** Runs operations for a caller one after the other, over one context; with a mutation among them, in one transaction. */
export type Run = <T>(caller: Caller, kind: Operation['kind'], work: (ask: Ask) => Promise<T>) => Promise<T>;

/**
 * Does the same later, and keeps what is answered; resolves to the id of the execution once it is known to the database.
 * @param operation the name that it is called by.
 * @throws TooManyRequests, Unavailable when there is too much to do already.
 */
export type Execute = <T>(
  caller: Caller,
  asked: { readonly kind: Operation['kind']; readonly operation: string },
  work: (ask: Ask) => Promise<T>,
) => Promise<string>;
