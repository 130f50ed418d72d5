import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/**
 * Returns whether the operation selects the field at `path` below the field that is being resolved. Selections in
 * fragments are included.
 */
export function isSelected(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  ...path: readonly string[]
): boolean {
  const isIn = (set: SelectionSetNode | undefined, [name, ...rest]: readonly string[]): boolean =>
    set?.selections.some((node) => {
      if (node.kind === Kind.FIELD)
        return node.name.value === name && (rest.length === 0 || isIn(node.selectionSet, rest));
      const { selectionSet } = node.kind === Kind.INLINE_FRAGMENT ? node : (fragments[node.name.value] ?? {});
      return isIn(selectionSet, [name ?? '', ...rest]);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet, path));
}
