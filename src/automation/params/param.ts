import type { z } from 'zod';

export interface Param<Value> {
  readonly kind: Pick<ParamKind<unknown>, 'name' | 'graphql' | 'read' | 'expressions'>;
  readonly description: string;
  readonly isRequired: boolean;
  readonly default?: Value;
  /** Other names that clients send it under. */
  readonly aliases: readonly string[];
  /** All possible values; empty when any value of its kind is accepted. */
  readonly values: readonly string[];
}

export type Params = Readonly<Record<string, Param<unknown>>>;

export type ParamValues<Of extends Params> = {
  readonly [Name in keyof Of]: Of[Name] extends Param<infer Value> ? Value : never;
};

type Details = Partial<Pick<Param<unknown>, 'aliases' | 'values'>>;

/** What values of parameters can be: `text.optional('The title.')` is a parameter of the kind `text`. */
export interface ParamKind<Value> {
  readonly name: string;
  readonly graphql: 'String' | 'Boolean' | 'Int' | 'JSON' | readonly ['String'];
  /** Reads JSON, or the text of a form. REST reads before GraphQL does, so it must accept what it returns. */
  readonly read: z.ZodType<Value>;
  /**
   * `later`: `run` evaluates the expressions in the value itself. `held`: `run` gets what an expression gives
   * unconverted, documents and blobs as `Held`.
   */
  readonly expressions?: 'later' | 'held';
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
