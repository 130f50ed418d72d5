import { Invalid } from '../../errors.ts';
import type { Model } from '../model.ts';

type XpathsByName = ReadonlyMap<string, readonly string[]>;

const cache = new WeakMap<Model, XpathsByName>();

function xpathsByName(model: Model): XpathsByName {
  const cached = cache.get(model);
  if (cached) return cached;
  const owners = [...model.types.values(), ...model.facets.values()];
  const xpaths = new Map<string, string[]>();
  for (const schema of new Set(owners.flatMap(({ schemas }) => schemas)))
    for (const { name, xpath } of schema.properties.values())
      xpaths.set(name, [...(xpaths.get(name) ?? []), xpath]);
  cache.set(model, xpaths);
  return xpaths;
}

/**
 * Adds the prefix to an xpath without one, such as `title` or `content/name`, if exactly one document schema has a
 * property with that name. Other xpaths are returned unchanged.
 * @throws Invalid if several schemas have such a property
 */
export function withPrefix(model: Model, xpath: string): string {
  const [, first = '', rest = ''] = /^([^:/[]+)(.*)$/s.exec(xpath) ?? [];
  if (rest.startsWith(':')) return xpath;
  const candidates = xpathsByName(model).get(first) ?? [];
  if (candidates.length > 1)
    throw new Invalid(`${first} is in several schemas: ${candidates.join(', ')}`, { field: 'query' });
  return candidates[0] === undefined ? xpath : candidates[0] + rest;
}
