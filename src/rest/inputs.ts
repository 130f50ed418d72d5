import type { Request } from 'express';
import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';
import { Invalid } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { responseKey } from '../selection.ts';
import { ifMatch } from './etag.ts';

/** Segments of a path as a document's path; empty ones never matter. */
const joined = (segments: readonly string[]): string => `/${segments.filter(Boolean).join('/')}`;

function parameter(request: Request, name: string): unknown {
  const value: unknown = request.params[name];
  if (name === 'path') return joined(Array.isArray(value) ? value : []);
  if (name === 'xpath' && Array.isArray(value)) return value.filter(Boolean).join('/');
  if (name === 'entry' && Array.isArray(value)) return value.join('/'); // the id of an entry, as it stands
  if (name === 'file') return request.query.path; // an address of files has an xpath under this name
  return value ?? request.query[name];
}

/** What a name with dots leads to: `body.params.type`. */
const part = (body: unknown, name: string): unknown =>
  name
    .split('.')
    .slice(1)
    .reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);

/** Text from the address as the type that the schema wants. */
function convert(name: string, value: unknown, type: GraphQLInputType): unknown {
  if (value === undefined) return undefined;
  const texts = [value]
    .flat()
    .flatMap((text) => (isListType(getNullableType(type)) ? String(text).split(',') : text));
  const values = texts.map((text) => {
    if (getNamedType(type).name !== 'Int') return String(text);
    if (!/^-?\d{1,10}$/.test(String(text)) || Math.abs(Number(text)) >= 2 ** 31) {
      throw new Invalid(`${name}: "${text}" is no whole number`);
    }
    return Number(text);
  });
  return isListType(getNullableType(type)) ? values : values[0];
}

/**
 * The values that an operation wants of this request: the body, what `If-Match` says, else parameters.
 * @throws Invalid when one is of another type than wanted.
 */
export function inputsOf(operation: Operation, request: Request, body: unknown): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const [name, type] of operation.inputs) {
    const value =
      name === 'body' || name.startsWith('body.')
        ? part(body, name)
        : name === 'ifMatch'
          ? ifMatch(request)
          : convert(name, parameter(request, name), type);
    if (value !== undefined) inputs[responseKey(name)] = value;
  }
  return inputs;
}
