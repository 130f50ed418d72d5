import type { Request } from 'express';
import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';
import { Invalid } from '../../errors.ts';
import { resultLimits } from '../../model/search/result-limits.ts';
import type { GraphqlOperation } from '../../selection/operation.ts';
import { responseKey } from '../../selection/selection.ts';
import { ifMatch, ifNoneMatch } from '../answer/etag.ts';

/** The parts of a request that inputs are read from. */
export type InputSource = Pick<Request, 'params' | 'query' | 'headers'>;

const listOf = <Item>(value: Item | readonly Item[]): readonly Item[] =>
  Array.isArray(value) ? value : [value as Item];

/** Returns the value of a query parameter. Existing clients send an empty parameter if they have no value. */
function queryValue(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const texts = listOf(value).filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

const segments = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : listOf(value);

/**
 * Returns the values in a list of the form `name=VALUE;name=VALUE`.
 * @throws Invalid if an item does not have this form
 */
function matrixValues(text: string, name: string): string[] {
  return text.split(';').map((part) => {
    const [key, value = '', ...others] = part.split('=');
    if (key !== name || value === '' || others.length > 0)
      throw new Invalid(
        `"${part.slice(0, 80)}" must have the form ${name}=VALUE. Separate several with ";".`,
      );
    return value;
  });
}

/**
 * Functions that read inputs given as strings, by the first segment of the input's name. The GraphQL schema
 * determines the type to which they are converted.
 */
const texts: Readonly<Record<string, (request: InputSource, name: string) => unknown>> = {
  address: ({ params }, name) => params[name] && segments(params[name]).join('/'),
  path: ({ params }) => `/${segments(params.path).filter(Boolean).join('/')}`,
  xpath: ({ params }) => segments(params.xpath).filter(Boolean).join('/'),
  matrix: ({ params }, name) => matrixValues(segments(params.matrix).join('/'), name),
  query: ({ query }, name) => queryValue(query[name]),
  repeated: ({ query }, name) => queryValue(query[name]),
};

/** Returns the document id or path in the URL of a request. */
export const addressedDocument = (request: InputSource): string =>
  request.params.id === undefined
    ? String(texts.path?.(request, 'path'))
    : String(texts.address?.(request, 'id'));

/**
 * Splits a single query parameter at its commas. Repeated parameters are not split, because their values can contain
 * commas.
 */
const separated = (texts: readonly unknown[]): readonly unknown[] =>
  texts.length === 1 ? String(texts[0]).split(',') : texts;

const values: Readonly<
  Record<string, (request: InputSource, body: unknown, keys: readonly string[]) => unknown>
> = {
  /** The whole body, or the value at a dotted path in the body. */
  body: (_, body, keys) =>
    keys.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body),
  ifMatch,
  ifNoneMatch,
  /**
   * All query parameters by name, for queries with arbitrary parameters. `__proto__` is omitted, because it would
   * set the object's prototype.
   */
  parameters: ({ query: { __proto__: _, ...query } }) => query,
};

/**
 * The largest GraphQL `Int` (32 bits). Larger numbers are reduced to it, which has the same effect, because no list
 * is that long.
 */
const maxInt = 2 ** 31 - 1;

const isList = (type: GraphQLInputType): boolean => isListType(getNullableType(type));

function readFlag(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new Invalid(`${name} must be true or false; got "${text.slice(0, 80)}".`);
  return text === 'true';
}

function convert(name: string, value: readonly unknown[], type: GraphQLInputType): unknown {
  const converted = value.map((text) => {
    const { name: typeName } = getNamedType(type);
    if (typeName === 'Boolean') return readFlag(name, String(text));
    if (typeName !== 'Int') return String(text);
    const limit = name === 'maxResults' ? resultLimits[String(text)] : undefined;
    if (limit !== undefined) return limit;
    if (!/^-?\d+$/.test(String(text)) || Number(text) < -maxInt)
      throw new Invalid(`${name} must be an integer; got "${String(text).slice(0, 80)}".`);
    return Math.min(Number(text), maxInt);
  });
  return isList(type) ? converted : converted[0];
}

/**
 * Reads the variables of a GraphQL operation from a request. The name of a variable tells where its value comes from,
 * such as `query.pageSize` or `body.params.type`.
 * @throws Invalid if a value does not have the declared type
 */
export function inputValues(
  operation: GraphqlOperation,
  request: InputSource,
  body: unknown,
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const [name, type] of operation.inputs) {
    const [source = '', ...keys] = name.split('.');
    const key = keys.join('.');
    const text = texts[source]?.(request, key);
    const value =
      text === undefined
        ? values[source]?.(request, body, keys)
        : convert(key, source === 'query' && isList(type) ? separated(listOf(text)) : listOf(text), type);
    if (value !== undefined) inputs[responseKey(name)] = value;
  }
  return inputs;
}
