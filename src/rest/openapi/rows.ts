import { operations } from '../../automation/index.ts';
import { isFor, type Operation } from '../../automation/operation.ts';
import type { Route } from '../route.ts';
import type { Section } from '../routes.ts';

/** A row of the description: of one route, or of many alike. */
export interface Row {
  readonly route: Route;
  /** In the words of the table of routes. */
  readonly path: string;
  readonly tag: string;
  /** That it calls under its own name. */
  readonly operation: Operation | undefined;
  /** Whether it stands for those of many operations. */
  readonly isOfMany: boolean;
}

/** Who reads the description: what is there for administrators alone, nobody else is told of. */
export interface Reader {
  readonly isAdministrator: boolean;
}

const byName = new Map(operations.map((operation) => [operation.id, operation]));

/** The group of operations that one is of. */
export const tagOf = ({ category }: Operation): string => `Operations: ${category}`;

/** The rows that somebody may know of, those alike taken together. */
export function rowsOf(sections: readonly Section[], reader: Reader): Row[] {
  const rows = new Map<string, Row>();
  for (const { name: section, routes } of sections) {
    for (const route of routes.filter((each) => isFor(each, reader))) {
      const path = route.alike ?? route.path;
      const isOfMany = route.alike !== undefined;
      const operation = isOfMany ? undefined : byName.get(route.operation ?? '');
      const tag = operation ? tagOf(operation) : section;
      rows.set(`${route.method} ${path}`, { route, path, tag, operation, isOfMany });
    }
  }
  return [...rows.values()];
}

/** All names of operations that somebody may know of. */
export const operationNames = (reader: Reader): string[] =>
  operations
    .filter((operation) => isFor(operation, reader))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases])
    .sort();
