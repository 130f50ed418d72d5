import { Invalid } from '../../errors.ts';
import { facetsOf, typesWithFacet } from '../../model/facets-of.ts';
import type { Model } from '../../model/model.ts';
import { newCompilation } from '../../query/operand.ts';
import { ascending, type OrderKey } from '../../query/order-sql.ts';
import { sortSql } from '../../query/sort-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { ListPageArguments, SortContext } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';
import type { DocumentRow } from './document-row.ts';

interface ChildrenPageArguments extends ListPageArguments {
  /** Whether to include children that lists usually hide, such as trashed ones. */
  readonly isUnfiltered?: boolean | undefined;
}

const nowhere = () => 'false';

function sortKey(xpath: string, isAscending: boolean, context: SortContext): OrderKey {
  const options = { ...context, now: '', mayRead: nowhere, mayReadAcl: nowhere, isUnindexed: true };
  try {
    return sortSql([{ property: xpath, isAscending }], newCompilation(options))[0] as OrderKey;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new Invalid(`sortBy: "${xpath}" is not a property that children can be sorted by.`, {
      cause: error,
    });
  }
}

/** SQL condition that is true if navigation shows a document `d`: it is neither trashed nor hidden by a facet. */
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
  hasReadableOnly: true,
  hasSingleKeyStatement: true,
});

type Parent = Pick<DocumentRow, 'id' | 'type' | 'facets'>;

/** Reads pages of readable children, ordered by title or, in an Orderable folder, by position. */
export function childrenPages(
  scope: Scope,
  access: Access,
): (parent: Parent, page: ChildrenPageArguments) => Promise<PageResult<DocumentRow>> {
  const load = childrenList(scope, access);
  const visible = hiddenTypes(scope.services.model);
  return (parent, { isUnfiltered, ...page }) => {
    const isByPosition = !page.sortBy?.length && facetsOf(scope.services.model, parent).includes('Orderable');
    const order = isByPosition ? { sortBy: ['ecm:pos'], sortOrder: ['asc'] } : {};
    return load(isUnfiltered ? {} : { visible }, { ...page, ...order }, parent.id);
  };
}
