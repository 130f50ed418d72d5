import type { SortDescriptor } from 'react-aria-components';
import { useSearchParams } from 'react-router';

export type Sort = SortDescriptor;

/** Returns the sort order in the query parameters of a URL; undefined if they do not contain one. */
export const readSort = (parameters: URLSearchParams): Sort | undefined => {
  const column = parameters.get('sort');
  if (!column) return undefined;
  return { column, direction: parameters.get('order') === 'descending' ? 'descending' : 'ascending' };
};

export function writeSort(parameters: URLSearchParams, { column, direction }: Sort): void {
  parameters.set('sort', String(column));
  parameters.set('order', direction);
}

/** Converts the sort order of a list to the variables of a query. */
export const sortVariables = (sort: Sort | undefined) => ({
  sortBy: sort ? [String(sort.column)] : [],
  sortOrder: sort ? [sort.direction === 'ascending' ? 'asc' : 'desc'] : [],
});

/**
 * Returns the sort order of a list and a function that changes it. The order is stored in the URL of the page, so that
 * Back and copied URLs preserve it.
 */
export function useSort(initial: Sort): [Sort, (sort: Sort) => void] {
  const [address, setAddress] = useSearchParams();
  const choose = (sort: Sort) => {
    const changed = new URLSearchParams(address);
    writeSort(changed, sort);
    setAddress(changed, { replace: true });
  };
  return [readSort(address) ?? initial, choose];
}
