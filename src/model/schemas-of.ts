import type { DocumentType, Facet, Model, Schema } from './model.ts';

/**
 * `Model.schemasOf` over resolved types and facets. It is asked for every document of a listing, so nothing is
 * joined twice: the usual answer is the type's own list, and the others are kept by the facets that add to it.
 */
export function schemasLookUp(
  types: ReadonlyMap<string, DocumentType>,
  facets: ReadonlyMap<string, Facet>,
): Model['schemasOf'] {
  const additions = new Map([...types.values()].map((type) => [type.name, facetsAddingTo(type, facets)]));
  const joined = new Map<string, readonly Schema[]>();

  return (typeName, facetNames) => {
    const type = types.get(typeName);
    if (!type) return [];
    const adding = additions.get(typeName);
    const added = facetNames.filter((name) => adding?.has(name));
    if (added.length === 0) return type.schemas;
    // Sorted and without repeats, so that the kept answers are no more than there are sets of facets.
    const key = [typeName, ...new Set(added.sort())].join('/');
    const known = joined.get(key);
    if (known) return known;
    const schemas = [
      ...new Set([...type.schemas, ...added.flatMap((name) => adding?.get(name)?.schemas ?? [])]),
    ];
    joined.set(key, schemas);
    return schemas;
  };
}

function facetsAddingTo(type: DocumentType, facets: ReadonlyMap<string, Facet>): ReadonlyMap<string, Facet> {
  const own = new Set(type.schemas);
  return new Map([...facets].filter(([, facet]) => facet.schemas.some((schema) => !own.has(schema))));
}
