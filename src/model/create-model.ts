import type {
  DirectoryDefinition,
  FacetDefinition,
  ModelDefinition,
  SchemaDefinition,
  TypeDefinition,
  VersioningPolicy,
} from './definitions.ts';
import type { Report } from './field-faults.ts';
import type { Facet, Model, Schema } from './model.ts';
import { type Fault, ModelError } from './model-error.ts';
import type { PageProviderDefinition } from './page-provider-definitions.ts';
import { resolveDirectories } from './resolve-directories.ts';
import { resolvePageProviders } from './resolve-page-providers.ts';
import { resolveSchemas } from './resolve-schemas.ts';
import { pick, resolveTypes, unknownOf } from './resolve-types.ts';
import { schemasLookUp } from './schemas-of.ts';
import { resolvePolicies } from './versioning.ts';
import type { WorkflowDefinition } from './workflows/definition.ts';
import { resolveWorkflows } from './workflows/resolve.ts';

type Definition =
  | SchemaDefinition
  | FacetDefinition
  | TypeDefinition
  | DirectoryDefinition
  | VersioningPolicy
  | PageProviderDefinition
  | WorkflowDefinition;
type Reporter = (definition: Definition) => Report;

/**
 * Resolves inheritance, facet schemas, prefixes and xpaths.
 * `origins` tells which file contributes a definition, for the message about its faults.
 * Throws a ModelError with all faults found.
 */
export function createModel(
  definition: ModelDefinition,
  origins: ReadonlyMap<object, string> = new Map(),
): Model {
  const faults: Fault[] = [];
  const reporterOf =
    (list: keyof ModelDefinition): Reporter =>
    (owner) =>
    (at, fault) => {
      const file = origins.get(owner);
      faults.push({ ...(file !== undefined && { file }), place: `${list}.${owner.name}${at}`, fault });
    };
  const report = {
    schemas: reporterOf('schemas'),
    facets: reporterOf('facets'),
    types: reporterOf('types'),
    directories: reporterOf('directories'),
    versioning: reporterOf('versioning'),
    pageProviders: reporterOf('pageProviders'),
    workflows: reporterOf('workflows'),
  };

  const directoryDefinitions = byName(definition.directories, report.directories);
  const { schemas, properties } = resolveSchemas(byName(definition.schemas, report.schemas), {
    directories: directoryDefinitions,
    report: report.schemas,
  });
  const directories = resolveDirectories(directoryDefinitions, {
    ...{ schemas, origins },
    report: report.directories,
  });
  const facets = resolveFacets(byName(definition.facets, report.facets), schemas, report.facets);
  const types = resolveTypes(byName(definition.types, report.types), {
    schemas,
    facets,
    report: report.types,
  });

  const policies = byName(definition.versioning, report.versioning).values();
  const versioning = resolvePolicies(policies, { types, facets, schemas }, report.versioning);
  const pageProviders = resolvePageProviders(byName(definition.pageProviders, report.pageProviders), {
    ...{ origins, report: report.pageProviders },
  });
  const workflows = resolveWorkflows(byName(definition.workflows, report.workflows), {
    schemas,
    types,
    report: report.workflows,
  });

  const [first, ...others] = faults;
  if (first) throw new ModelError(first, ...others);
  return {
    schemas,
    facets,
    types,
    directories,
    versioning,
    pageProviders,
    workflows,
    property: (xpath) => properties.get(xpath),
    schemasOf: schemasLookUp(types, facets),
  };
}

function byName<T extends Definition>(definitions: readonly T[], report: Reporter): ReadonlyMap<string, T> {
  const named = new Map<string, T>();
  for (const definition of definitions) {
    // Names are segments of addresses and members of comma-separated headers.
    if (!isName(definition.name))
      report(definition)('.name', 'may hold letters, digits, ".", "_" and "-" only');
    if (named.has(definition.name)) report(definition)('', 'the name is taken already');
    else named.set(definition.name, definition);
  }
  return named;
}

function isName(name: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(name);
}

function resolveFacets(
  definitions: ReadonlyMap<string, FacetDefinition>,
  schemas: ReadonlyMap<string, Schema>,
  reporter: Reporter,
): ReadonlyMap<string, Facet> {
  const resolved = new Map<string, Facet>();
  for (const [name, definition] of definitions) {
    for (const [missing, index] of unknownOf(definition.schemas, schemas)) {
      reporter(definition)(`.schemas[${index}]`, `there is no schema ${missing}`);
    }
    resolved.set(name, { name, schemas: [...new Set(pick(definition.schemas, schemas))] });
  }
  return resolved;
}
