import type { FacetDefinition, ModelDefinition } from './definitions.ts';
import type { DocumentType, Facet, Model, Schema } from './model.ts';
import {
  type Fault,
  type ReportFault,
  reportBelow,
  reportUnknownNames,
  requireNoFaults,
} from './model-error.ts';
import { resolveDirectories } from './resolve/resolve-directories.ts';
import { resolvePageProviders } from './resolve/resolve-page-providers.ts';
import { resolveSchemas } from './resolve/resolve-schemas.ts';
import { pickByName, resolveTypes } from './resolve/resolve-types.ts';
import { resolveVersioningPolicies } from './versioning.ts';
import { resolveWorkflows } from './workflows/resolve.ts';

/**
 * Creates the implementation of `Model.schemasOf`, which is called for each document in a list. If the facets add no
 * schemas, the function returns the document type's own list; all other results are cached.
 */
function schemasLookUp(
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
    // The facets are sorted and deduplicated, so that each set of facets has one cache entry.
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

type List = Exclude<keyof ModelDefinition, 'indexes'>;
type Definition<Name extends List = List> = ModelDefinition[Name][number];
type Reporter = (definition: Definition) => ReportFault;

/**
 * Builds the model: resolves inheritance, the schemas of facets, prefixes and xpaths.
 * @param origins the file of each contributed definition; built-in definitions have no file
 * @throws ModelError, which lists all errors
 */
export function createModel(
  definition: ModelDefinition,
  origins: ReadonlyMap<object, string> = new Map(),
): Model {
  const faults: Fault[] = [];
  const reporterOf =
    (list: List): Reporter =>
    (owner) =>
    (at, fault) => {
      const file = origins.get(owner);
      faults.push({ ...(file !== undefined && { file }), location: `${list}.${owner.name}${at}`, fault });
    };
  const named = <Name extends List>(list: Name) =>
    byName<Definition<Name>>(definition[list], reporterOf(list));

  const directoryDefinitions = named('directories');
  const { schemas, properties } = resolveSchemas(named('schemas'), {
    directories: directoryDefinitions,
    report: reporterOf('schemas'),
  });
  const directories = resolveDirectories(directoryDefinitions, {
    schemas,
    origins,
    report: reporterOf('directories'),
  });
  const facets = resolveFacets(named('facets'), schemas, reporterOf('facets'));
  const types = resolveTypes(named('types'), { schemas, facets, report: reporterOf('types') });
  const versioning = resolveVersioningPolicies(
    named('versioning').values(),
    { types, facets, schemas },
    reporterOf('versioning'),
  );
  const pageProviders = resolvePageProviders(named('pageProviders'), {
    origins,
    report: reporterOf('pageProviders'),
  });
  const workflows = resolveWorkflows(named('workflows'), { schemas, types, report: reporterOf('workflows') });
  const chains = new Map(
    [...named('chains')].map(([name, chain]) => [name, { ...chain, file: origins.get(chain) }]),
  );

  requireNoFaults(faults);
  return {
    schemas,
    facets,
    types,
    directories,
    versioning,
    pageProviders,
    workflows,
    chains,
    indexes: new Map(
      definition.indexes.map((index) => [index.property.replace(/\/\*$/, ''), origins.get(index)]),
    ),
    property: (xpath) => properties.get(xpath),
    schemasOf: schemasLookUp(types, facets),
  };
}

/** Returns whether a name can be used as a path segment in a URL and as an item in a comma-separated header. */
const isName = (name: string): boolean => /^[A-Za-z][\w.-]*$/.test(name);

function byName<T extends Definition>(definitions: readonly T[], report: Reporter): ReadonlyMap<string, T> {
  const named = new Map<string, T>();
  for (const definition of definitions) {
    if (!isName(definition.name))
      report(definition)(
        '.name',
        'must begin with a letter and contain only letters, digits, ".", "_" and "-"',
      );
    if (named.has(definition.name)) report(definition)('', 'is defined twice');
    else named.set(definition.name, definition);
  }
  return named;
}

function resolveFacets(
  definitions: ReadonlyMap<string, FacetDefinition>,
  schemas: ReadonlyMap<string, Schema>,
  reporter: Reporter,
): ReadonlyMap<string, Facet> {
  const resolved = new Map<string, Facet>();
  for (const [name, definition] of definitions) {
    const report = reportBelow(reporter(definition), '.schemas');
    reportUnknownNames(definition.schemas, schemas, 'schema', report);
    resolved.set(name, { name, schemas: [...new Set(pickByName(definition.schemas, schemas))] });
  }
  return resolved;
}
