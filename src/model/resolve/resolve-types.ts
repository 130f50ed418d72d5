import type { TypeDefinition } from '../definitions.ts';
import type { DocumentType, Facet, Schema } from '../model.ts';
import { type ReportFault, reportBelow, reportUnknownNames } from '../model-error.ts';

interface Context {
  schemas: ReadonlyMap<string, Schema>;
  facets: ReadonlyMap<string, Facet>;
  report: (definition: TypeDefinition) => ReportFault;
}

/** Resolves the inheritance of types. Unknown names and circular inheritance are reported and ignored. */
export function resolveTypes(
  definitions: ReadonlyMap<string, TypeDefinition>,
  context: Context,
): ReadonlyMap<string, DocumentType> {
  const resolved = new Map<string, DocumentType>();

  const resolve = (definition: TypeDefinition, descendants: readonly string[]): DocumentType => {
    const known = resolved.get(definition.name);
    if (known) return known;
    const report = context.report(definition);
    const path = [...descendants, definition.name];
    const parent = parentOf(definition, definitions, path, report);
    const type = inherit(definition, parent && resolve(parent, path), context);
    reportUnknownNames(definition.subtypes, definitions, 'type', reportBelow(report, '.subtypes'));
    resolved.set(type.name, type);
    return type;
  };

  // `resolved` is in order of inheritance, but the result must be in the order of the definitions.
  return new Map([...definitions.values()].map((definition) => [definition.name, resolve(definition, [])]));
}

/** Returns the items with the given names; unknown names are ignored. */
export function pickByName<T>(names: readonly string[] | undefined, from: ReadonlyMap<string, T>): T[] {
  return (names ?? []).map((name) => from.get(name)).filter((item) => item !== undefined);
}

function parentOf(
  definition: TypeDefinition,
  definitions: ReadonlyMap<string, TypeDefinition>,
  path: readonly string[],
  report: ReportFault,
): TypeDefinition | undefined {
  if (definition.parent === undefined) return undefined;
  if (path.includes(definition.parent)) {
    report('.parent', `inherits from itself: ${[...path, definition.parent].join(', ')}`);
    return undefined;
  }
  const parent = definitions.get(definition.parent);
  if (!parent) report('.parent', `there is no type ${definition.parent}`);
  return parent;
}

function inherit(
  definition: TypeDefinition,
  parent: DocumentType | undefined,
  context: Context,
): DocumentType {
  const report = context.report(definition);
  reportUnknownNames(definition.schemas, context.schemas, 'schema', reportBelow(report, '.schemas'));
  reportUnknownNames(definition.facets, context.facets, 'facet', reportBelow(report, '.facets'));
  const facets = [...new Set([...(parent?.facets ?? []), ...(definition.facets ?? [])])];
  const schemas = [
    ...(parent?.schemas ?? []),
    ...pickByName(definition.schemas, context.schemas),
    ...pickByName(facets, context.facets).flatMap((facet) => facet.schemas),
  ];
  return {
    name: definition.name,
    parent: definition.parent,
    schemas: [...new Set(schemas)],
    facets,
    subtypes: definition.subtypes ?? parent?.subtypes ?? [],
    icon: definition.icon ?? parent?.icon,
  };
}
