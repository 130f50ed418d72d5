import { Invalid } from '../../errors.ts';
import { facetsOf, typesWithFacet } from '../../model/facets-of.ts';
import type { Model } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { defineList } from '../lists/list-loader.ts';
import type { ListPageArguments, SortContext } from '../lists/list-statement.ts';
import type { PageResult } from '../lists/page-loader.ts';
import type { DocumentRow } from './document-row.ts';

export interface ChildrenPageArguments extends ListPageArguments {
  readonly isUnfiltered?: boolean | undefined;
}

/** Sort keys with columns of their own; others are looked up in the JSON by a parameter. */
const columns: Record<string, string> = {
  'dc:title': 'd.title',
  'ecm:name': 'd.name',
  'ecm:path': 'd.path',
  'ecm:pos': 'd.position',
  'ecm:primaryType': 'd.type',
  'ecm:uuid': 'd.id',
  'ecm:currentLifeCycleState': 'd.state',
  'uid:major_version': 'd.major_version',
  'uid:minor_version': 'd.minor_version',
};

function sortKey(xpath: string, direction: 'ASC' | 'DESC', { model, add }: SortContext): string {
  if (Object.hasOwn(columns, xpath)) return `${columns[xpath]} ${direction}`;
  const property = model.property(xpath);
  if (!property || property.many || property.type === 'complex' || property.type === 'blob') {
    throw new Invalid(`sortBy: "${xpath}" is not a property that can be sorted by`);
  }
  const text = `d.properties ->> ${add(xpath)}::text`;
  const isNumber = property.type === 'long' || property.type === 'double';
  return `${isNumber ? `(${text})::numeric` : text} ${direction} NULLS LAST`;
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
  order: 'd.title ASC',
  tieBreak: 'd.id',
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
