import type { Model } from './model.ts';

/** Returns the facets of a document: those of its type, followed by those that were added to it. */
export const facetsOf = (
  { types }: Pick<Model, 'types'>,
  { type, facets }: { readonly type: string; readonly facets: readonly string[] },
): string[] => [...new Set([...(types.get(type)?.facets ?? []), ...facets])];

export const typesWithFacet = ({ types }: Pick<Model, 'types'>, facet: string): string[] =>
  [...types.values()].filter(({ facets }) => facets.includes(facet)).map(({ name }) => name);

/**
 * Facets that describe a document's relations instead of its content. Restoring a version does not remove these facets.
 */
export const relationFacets: readonly string[] = ['CollectionMember', 'Notifiable'];

export const withRelations = (facets: readonly string[], own: readonly string[]): string[] => [
  ...new Set([...facets, ...own.filter((facet) => relationFacets.includes(facet))]),
];
