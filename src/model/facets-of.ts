import type { Model } from './model.ts';

/** The facets of a document: those of its type, followed by its own. */
export const facetsOf = (
  { types }: Pick<Model, 'types'>,
  { type, facets }: { readonly type: string; readonly facets: readonly string[] },
): string[] => [...new Set([...(types.get(type)?.facets ?? []), ...facets])];

export const typesWithFacet = ({ types }: Pick<Model, 'types'>, facet: string): string[] =>
  [...types.values()].filter(({ facets }) => facets.includes(facet)).map(({ name }) => name);

/** Facets about the relations of a document, not its content. A document keeps them when a version is restored. */
export const relationFacets: readonly string[] = ['CollectionMember', 'Notifiable'];

export const withRelations = (facets: readonly string[], own: readonly string[]): string[] => [
  ...new Set([...facets, ...own.filter((facet) => relationFacets.includes(facet))]),
];
