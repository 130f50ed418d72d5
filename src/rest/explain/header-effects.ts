import type { Request } from 'express';
import { type FieldNode, Kind, print, type SelectionSetNode, type ValueNode } from 'graphql';
import type { GraphqlOperation } from '../../selection/operation.ts';
import type { RouteCompiler } from '../compile-route.ts';
import {
  type ContributedNames,
  isReadHeader,
  parseHeaders,
  type RequestHeaders,
} from '../request/headers.ts';
import type { Route } from '../route.ts';
import type { Mask } from './mask.ts';

/** Formats the value of an argument, replacing variables with the operation's constants. */
const valueText = (value: ValueNode, constants: GraphqlOperation['constants']): string =>
  value.kind === Kind.VARIABLE && Object.hasOwn(constants, value.name.value)
    ? JSON.stringify(constants[value.name.value])
    : print(value);

function fieldText(
  { alias, name, arguments: args = [] }: FieldNode,
  constants: GraphqlOperation['constants'],
) {
  const values = args.map((each) => `${each.name.value}: ${valueText(each.value, constants)}`);
  const list = values.length > 0 ? `(${values.join(', ')})` : '';
  return `${alias ? `${alias.value}: ` : ''}${name.value}${list}`;
}

/** Returns the paths of all fields that an operation selects, such as `document(path: $path).acls.name`. */
function selectedFields({ document, constants }: GraphqlOperation): Set<string> {
  const paths = new Set<string>();
  const walk = (set: SelectionSetNode | undefined, parent: string): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind !== Kind.FIELD) continue;
      const path = parent + fieldText(node, constants);
      paths.add(path);
      walk(node.selectionSet, `${path}.`);
    }
  };
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, '');
  return paths;
}

/**
 * Returns the paths that are only in the first set. If a path and a longer path below it are both missing from the
 * second set, only the longer path is returned.
 */
function missingFields(of: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  const missing = [...of].filter((path) => !other.has(path));
  return missing.filter((path, index) => !missing[index + 1]?.startsWith(`${path}.`));
}

type Source = Pick<Request, 'headers' | 'query'>;

interface HeaderEffect {
  readonly name: string;
  readonly in: 'header' | 'query';
  readonly value: unknown;
  readonly sets: Readonly<Record<string, unknown>>;
  /**
   * The fields that the header adds to the operation. If nested fields are added, only the innermost ones are listed.
   */
  readonly adds: readonly string[];
  readonly removes: readonly string[];
}

const without = (values: object, name: string) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

function optionsOf({ options, isVoid, idempotencyKey, shape: { depth } }: RequestHeaders) {
  return { ...options, isVoid, idempotencyKey, depth };
}

function changed(all: RequestHeaders, others: RequestHeaders, mask: Mask): Record<string, unknown> {
  const before: Record<string, unknown> = optionsOf(others);
  const set = Object.entries(optionsOf(all)).filter(([name, value]) => value !== before[name]);
  return Object.fromEntries(set.map(([name, value]) => [name, mask(name, value)]));
}

/**
 * Returns the effect of each header of §9, including those that are given as query parameters: the difference between
 * the operation with and without it.
 * @throws Invalid if a header is invalid
 */
export function headerEffects(
  { headers, query }: Source,
  route: Route,
  { contributed, compile, mask }: { contributed: ContributedNames; compile: RouteCompiler; mask: Mask },
): HeaderEffect[] {
  const all = parseHeaders({ headers, query }, contributed);
  const fieldsOf = ({ shape }: RequestHeaders) => selectedFields(compile(route, shape).operation);
  const fields = fieldsOf(all);
  const effect = (name: string, place: 'header' | 'query'): HeaderEffect => {
    const rest =
      place === 'header'
        ? { headers: without(headers, name), query }
        : { headers, query: without(query, name) };
    const others = parseHeaders(rest as Source, contributed);
    const otherFields = fieldsOf(others);
    return {
      name,
      in: place,
      value: mask(name, place === 'header' ? headers[name] : query[name]),
      sets: changed(all, others, mask),
      adds: missingFields(fields, otherFields),
      removes: missingFields(otherFields, fields),
    };
  };
  return [
    ...Object.keys(headers)
      .filter(isReadHeader)
      .map((name) => effect(name, 'header')),
    ...Object.keys(query)
      .filter(isReadHeader)
      .map((name) => effect(name, 'query')),
  ];
}
