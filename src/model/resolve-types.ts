import type { TypeDefinition } from './definitions.ts';
import type { Report } from './field-faults.ts';
import type { DocumentType, Facet, Schema } from './model.ts';

/** What types are resolved against. */
export interface TypeContext {
  schemas: ReadonlyMap<string, Schema>;
  facets: ReadonlyMap<string, Facet>;
  report: (definition: TypeDefinition) => Report;
}

/** All types with what they inherit; unknown names and circles of parents are reported and left out. */
export function resolveTypes(
  definitions: ReadonlyMap<string, TypeDefinition>,
  context: TypeContext,
): ReadonlyMap<string, DocumentType> {
  const resolved = new Map<string, DocumentType>();

  const resolve = (definition: TypeDefinition, heirs: readonly string[]): DocumentType => {
    const known = resolved.get(definition.name);
    if (known) return known;
    const report = context.report(definition);
    const line = [...heirs, definition.name];
    const parent = parentOf(definition, definitions, line, report);
    const type = inherit(definition, parent && resolve(parent, line), context);
    for (const [name, index] of unknownOf(definition.subtypes, definitions)) {
      report(`.subtypes[${index}]`, `there is no type ${name}`);
    }
    resolved.set(type.name, type);
    return type;
  };

  // In the order of the definitions, though parents may be resolved before their turn.
  return new Map([...definitions.values()].map((definition) => [definition.name, resolve(definition, [])]));
}

/** The names that are in no such map, with their positions. */
export function unknownOf(
  names: readonly string[] | undefined,
  known: ReadonlyMap<string, unknown>,
): Array<[name: string, index: number]> {
  const places = (names ?? []).map((name, index): [string, number] => [name, index]);
  return places.filter(([name]) => !known.has(name));
}

/** The things of these names; unknown names are left out. */
export function pick<T>(names: readonly string[] | undefined, from: ReadonlyMap<string, T>): T[] {
  return (names ?? []).map((name) => from.get(name)).filter((thing) => thing !== undefined);
}

function parentOf(
  definition: TypeDefinition,
  definitions: ReadonlyMap<string, TypeDefinition>,
  line: readonly string[],
  report: Report,
): TypeDefinition | undefined {
  if (definition.parent === undefined) return undefined;
  if (line.includes(definition.parent)) {
    report('.parent', `inherits from itself: ${[...line, definition.parent].join(', ')}`);
    return undefined;
  }
  const parent = definitions.get(definition.parent);
  if (!parent) report('.parent', `there is no type ${definition.parent}`);
  return parent;
}

function inherit(
  definition: TypeDefinition,
  parent: DocumentType | undefined,
  context: TypeContext,
): DocumentType {
  const report = context.report(definition);
  for (const [name, index] of unknownOf(definition.schemas, context.schemas)) {
    report(`.schemas[${index}]`, `there is no schema ${name}`);
  }
  for (const [name, index] of unknownOf(definition.facets, context.facets)) {
    report(`.facets[${index}]`, `there is no facet ${name}`);
  }
  const facets = [...new Set([...(parent?.facets ?? []), ...(definition.facets ?? [])])];
  const schemas = [
    ...(parent?.schemas ?? []),
    ...pick(definition.schemas, context.schemas),
    ...pick(facets, context.facets).flatMap((facet) => facet.schemas),
  ];
  return {
    name: definition.name,
    parent: definition.parent,
    schemas: [...new Set(schemas)],
    facets,
    subtypes: definition.subtypes ?? parent?.subtypes ?? [],
  };
}
