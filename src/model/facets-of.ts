import type { Model } from './model.ts';

/** All facets of a document: those of its type, then its own. */
export const facetsOf = (
  { types }: Pick<Model, 'types'>,
  { type, facets }: { readonly type: string; readonly facets: readonly string[] },
): string[] => [...new Set([...(types.get(type)?.facets ?? []), ...facets])];

/** The types whose documents all have a facet. */
export const typesWith = ({ types }: Pick<Model, 'types'>, facet: string): string[] =>
  [...types.values()].filter(({ facets }) => facets.includes(facet)).map(({ name }) => name);
