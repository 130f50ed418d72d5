import type { ReactNode } from 'react';
import type { Pages } from '../graphql/pages.ts';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

interface AdminColumn<Entry> {
  readonly label: string;
  readonly value: (entry: Entry) => ReactNode;
}

interface AdminTableProps<Entry> {
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => string | number;
  /** The columns of the table. The cells of the first column are row headers. */
  readonly columns: ReadonlyArray<AdminColumn<Entry>>;
  readonly actions?: (entry: Entry) => ReactNode;
  readonly empty: string;
}

export function AdminTable<Entry>({
  label,
  entries,
  keyOf,
  columns,
  actions,
  empty,
}: AdminTableProps<Entry>) {
  if (entries.length === 0) return <p className="hint">{empty}</p>;
  const [name, ...others] = columns;
  return (
    <div className="scrolled">
      <table className="plain-table stacked">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span className="visually-hidden">{text('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={keyOf(entry)}>
              <th scope="row">{name?.value(entry)}</th>
              {others.map((column) => (
                <td key={column.label} data-label={column.label}>
                  {column.value(entry)}
                </td>
              ))}
              {actions && <td className="row-actions">{actions(entry)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A table that loads its entries page by page. */
export const PagedTable = <Entry,>({
  pages,
  ...props
}: Omit<AdminTableProps<Entry>, 'entries'> & { readonly pages: Pages<Entry> }) => (
  <>
    {pages.error && <Failure error={pages.error} />}
    {pages.isLoading ? <Loading /> : <AdminTable {...props} entries={pages.entries} />}
    <More pages={pages} />
  </>
);
