import { Invalid } from '../../errors.ts';
import { facetsOf, typesWithFacet } from '../../model/facets-of.ts';
import type { Model } from '../../model/model.ts';
import { ascending, type OrderKey } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { ListPageArguments, SortContext } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';
import type { DocumentRow } from './document-row.ts';

export interface ChildrenPageArguments extends ListPageArguments {
  readonly isUnfiltered?: boolean | undefined;
}

/** Sort keys with columns of their own; others are looked up in the JSON by a parameter. */
const columns: Readonly<Record<string, Pick<OrderKey, 'value' | 'type'> & { readonly isNullable?: true }>> = {
  'dc:title': { value: 'd.title', type: 'text' },
  'ecm:name': { value: 'd.name', type: 'text' },
  'ecm:path': { value: 'd.path', type: 'text' },
  'ecm:pos': { value: 'd.position', type: 'bigint', isNullable: true },
  'ecm:primaryType': { value: 'd.type', type: 'text' },
  'ecm:uuid': { value: 'd.id', type: 'uuid' },
  'ecm:currentLifeCycleState': { value: 'd.state', type: 'text' },
  'uid:major_version': { value: 'd.major_version', type: 'bigint' },
  'uid:minor_version': { value: 'd.minor_version', type: 'bigint' },
};

function sortKey(xpath: string, isAscending: boolean, { model, add }: SortContext): OrderKey {
  const column = Object.hasOwn(columns, xpath) ? columns[xpath] : undefined;
  if (column) return { isNullable: false, ...column, isAscending };
  const property = model.property(xpath);
  if (!property || property.many || property.type === 'complex' || property.type === 'blob') {
    throw new Invalid(`sortBy: "${xpath}" is not a property that can be sorted by`);
  }
  const text = `d.properties ->> ${add(xpath)}::text`;
  const isNumber = property.type === 'long' || property.type === 'double';
  return isNumber
    ? { value: `(${text})::numeric`, type: 'numeric', isAscending, isNullable: true }
    : { value: `(${text})`, type: 'text', isAscending, isNullable: true };
}

/** The condition that lists show a document `d`. */
export const visibleCondition = (hiddenTypes: string): string => `NOT d.is_trashed
  AND d.type <> ALL(${hiddenTypes}::text[]) AND NOT 'HiddenInNavigation' = ANY(d.facets)`;

export const hiddenTypes = (model: Model): string[] => typesWithFacet(model, 'HiddenInNavigation');

const childrenList = defineList<{ visible: readonly string[] }, DocumentRow>({
  name: 'children',
  from: 'document d',
  where: 'd.repository = $1 AND NOT d.is_version',
  ofKey: (equals) => `d.parent_id ${equals}`,
  order: [ascending('d.title', 'text')],
  tieBreak: ascending('d.id', 'uuid'),
  sortKey,
  filters: { visible: visibleCondition },
  permission: 'Read',
  hasSingleKeyStatement: true,
});

type Parent = Pick<DocumentRow, 'id' | 'type' | 'facets'>;

/** Readable children by title; those of an Orderable folder by position. */
export function childrenPages(
  scope: Scope,
  access: Access,
): (parent: Parent, page: ChildrenPageArguments) => Promise<PageResult<DocumentRow>> {
  const load = childrenList(scope, access);
  const visible = hiddenTypes(scope.model);
  return (parent, { isUnfiltered, ...page }) => {
    const isByPosition = !page.sortBy?.length && facetsOf(scope.model, parent).includes('Orderable');
    const order = isByPosition ? { sortBy: ['ecm:pos'], sortOrder: ['asc'] } : {};
    return load(isUnfiltered ? {} : { visible }, { ...page, ...order }, parent.id);
  };
}
