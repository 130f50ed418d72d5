import type { Model } from './model.ts';

/** The facets of the type, then those of the document. */
export const facetsOf = (
  { types }: Pick<Model, 'types'>,
  { type, facets }: { readonly type: string; readonly facets: readonly string[] },
): string[] => [...new Set([...(types.get(type)?.facets ?? []), ...facets])];

export const typesWithFacet = ({ types }: Pick<Model, 'types'>, facet: string): string[] =>
  [...types.values()].filter(({ facets }) => facets.includes(facet)).map(({ name }) => name);
