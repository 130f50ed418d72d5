import type { Request } from 'express';
import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';
import { Invalid } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { responseKey } from '../selection.ts';
import { ifMatch } from './etag.ts';

/** A parameter of the query; clients send empty ones for what nobody said. */
function said(value: unknown): unknown {
  const texts = [value ?? []].flat().filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

const segments = (value: string | string[] | undefined): string[] => [value ?? []].flat();

/** Text of a request, which becomes what the schema wants; by what the names of inputs begin with. */
const texts: Readonly<Record<string, (request: Request, name: string) => unknown>> = {
  /** A parameter of the address, as it stands. */
  address: ({ params }, name) => params[name] && segments(params[name]).join('/'),
  /** The path of a document: empty segments never matter. */
  path: ({ params }) => `/${segments(params.path).filter(Boolean).join('/')}`,
  xpath: ({ params }) => segments(params.xpath).filter(Boolean).join('/'),
  query: ({ query }, name) => said(query[name]),
};

/** What is read already. */
const values: Readonly<
  Record<string, (request: Request, body: unknown, keys: readonly string[]) => unknown>
> = {
  /** The whole body, or what names with dots lead to in it. */
  body: (_, body, keys) =>
    keys.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body),
  ifMatch,
  /** All parameters of the query by name: some are named in what another one says. */
  parameters: ({ query }) => query,
};

/** Text from the address as the type that the schema wants. */
function convert(name: string, value: unknown, type: GraphQLInputType): unknown {
  const parts = [value]
    .flat()
    .flatMap((text) => (isListType(getNullableType(type)) ? String(text).split(',') : text));
  const converted = parts.map((text) => {
    if (getNamedType(type).name !== 'Int') return String(text);
    if (!/^-?\d{1,10}$/.test(String(text)) || Math.abs(Number(text)) >= 2 ** 31) {
      throw new Invalid(`${name}: "${text}" is no whole number`);
    }
    return Number(text);
  });
  return isListType(getNullableType(type)) ? converted : converted[0];
}

/**
 * The values that an operation wants of this request, from where their names say: `query.pageSize`, `body.params.type`.
 * @throws Invalid when one is of another type than wanted.
 */
export function inputsOf(operation: Operation, request: Request, body: unknown): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const [name, type] of operation.inputs) {
    const [source = '', ...keys] = name.split('.');
    const key = keys.join('.');
    const text = texts[source]?.(request, key);
    const value = text === undefined ? values[source]?.(request, body, keys) : convert(key, text, type);
    if (value !== undefined) inputs[responseKey(name)] = value;
  }
  return inputs;
}
