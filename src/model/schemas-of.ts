import type { DocumentType, Facet, Model, Schema } from './model.ts';

/**
 * Implements `Model.schemasOf`. It is called for every document of a list, so it returns the list of the type
 * if the facets add nothing, and caches other results.
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
    // Sorted and unique, to limit the cache to one result for each set of facets.
    const key = [typeName, ...new Set(added.sort())].join('/');
    const cached = joined.get(key);
    if (cached) return cached;
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
