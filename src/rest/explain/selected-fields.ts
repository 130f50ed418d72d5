import { type FieldNode, Kind, print, type SelectionSetNode, type ValueNode } from 'graphql';
import type { GraphqlOperation } from '../../selection/operation.ts';

/** An argument as it is written, with the values of the operation's constants. */
const valueText = (value: ValueNode, constants: GraphqlOperation['constants']): string =>
  value.kind === Kind.VARIABLE && Object.hasOwn(constants, value.name.value)
    ? JSON.stringify(constants[value.name.value])
    : print(value);

function fieldText(
  { alias, name, arguments: given = [] }: FieldNode,
  constants: GraphqlOperation['constants'],
) {
  const values = given.map((each) => `${each.name.value}: ${valueText(each.value, constants)}`);
  const list = values.length > 0 ? `(${values.join(', ')})` : '';
  return `${alias ? `${alias.value}: ` : ''}${name.value}${list}`;
}

/** The paths of all fields that an operation selects, such as `document(path: $path).acls.name`. */
export function selectedFields({ document, constants }: GraphqlOperation): Set<string> {
  const paths = new Set<string>();
  const walk = (set: SelectionSetNode | undefined, parent: string): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind !== Kind.FIELD) continue;
      const path = parent + fieldText(node, constants);
      paths.add(path);
      walk(node.selectionSet, `${path}.`);
    }
  };
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, '');
  return paths;
}

/** The fields of one that the other lacks: of nested ones, the innermost. */
export function missingFields(of: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  const missing = [...of].filter((path) => !other.has(path));
  return missing.filter((path, index) => !missing[index + 1]?.startsWith(`${path}.`));
}
