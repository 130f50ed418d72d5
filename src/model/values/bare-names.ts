import { Invalid } from '../../errors.ts';
import type { Model } from '../model.ts';

type XpathsByName = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<Model, XpathsByName>();

function xpathsByName(model: Model): XpathsByName {
  const before = known.get(model);
  if (before) return before;
  const owners = [...model.types.values(), ...model.facets.values()];
  const xpaths = new Map<string, string[]>();
  for (const schema of new Set(owners.flatMap(({ schemas }) => schemas)))
    for (const { name, xpath } of schema.properties.values())
      xpaths.set(name, [...(xpaths.get(name) ?? []), xpath]);
  known.set(model, xpaths);
  return xpaths;
}

/**
 * A name without prefix, such as `title` or `content/name`, with that of the one schema of documents that has
 * it. Others stay as they are. @throws Invalid when several schemas have it.
 */
export function withPrefix(model: Model, xpath: string): string {
  const [, first = '', rest = ''] = /^([^:/[]+)(.*)$/s.exec(xpath) ?? [];
  if (rest.startsWith(':')) return xpath;
  const candidates = xpathsByName(model).get(first) ?? [];
  if (candidates.length > 1)
    throw new Invalid(`${first} is in several schemas: ${candidates.join(', ')}`, { field: 'query' });
  return candidates[0] === undefined ? xpath : candidates[0] + rest;
}
