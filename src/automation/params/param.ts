import type { z } from 'zod';

export interface Param<Value> {
  readonly kind: Pick<ParamKind<unknown>, 'name' | 'graphql' | 'read' | 'expressions'>;
  readonly description: string;
  readonly isRequired: boolean;
  readonly default?: Value;
  /** Alternative names that clients use for the parameter. */
  readonly aliases: readonly string[];
  /** All valid values; empty if every value of the kind is valid. */
  readonly values: readonly string[];
}

export type Params = Readonly<Record<string, Param<unknown>>>;

export type ParamValues<Of extends Params> = {
  readonly [Name in keyof Of]: Of[Name] extends Param<infer Value> ? Value : never;
};

type Details = Partial<Pick<Param<unknown>, 'aliases' | 'values'>>;

/**
 * The kind of a parameter's value. `text.optional('The title.')` declares an optional parameter of the kind
 * `text`.
 */
export interface ParamKind<Value> {
  readonly name: string;
  readonly graphql: 'String' | 'Boolean' | 'Int' | 'JSON' | readonly ['String'];
  /**
   * Validates a JSON value or the string from a form field. GraphQL validates again what REST has already validated, so
   * the schema must also accept its own output.
   */
  readonly read: z.ZodType<Value>;
  /**
   * When and how the expressions in a value are evaluated. By default, they are evaluated to JSON before `run`.
   * With `later`, `run` evaluates them itself. With `unconverted`, documents and blobs remain `InputValue`s.
   */
  readonly expressions?: 'later' | 'unconverted';
  required(description: string, details?: Details): Param<Value>;
  optional(description: string, details?: Details): Param<Value | undefined>;
  withDefault(value: Value, description: string, details?: Details): Param<Value>;
}

export function paramKind<Value>(
  name: string,
  graphql: ParamKind<Value>['graphql'],
  read: z.ZodType<Value>,
  expressions?: ParamKind<Value>['expressions'],
): ParamKind<Value> {
  const kind = { name, graphql, read, ...(expressions && { expressions }) };
  const param = { kind, isRequired: false, aliases: [], values: [] };
  return {
    ...kind,
    required: (description, details) => ({ ...param, description, isRequired: true, ...details }),
    optional: (description, details) => ({ ...param, description, ...details }),
    withDefault: (value, description, details) => ({ ...param, description, default: value, ...details }),
  };
}
