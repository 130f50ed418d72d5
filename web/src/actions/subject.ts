import { useEffect } from 'react';
import type { RowFragment } from '../graphql/operations.ts';
import type { Found } from '../listing/bulk.ts';
import { createStore } from '../parts/store.ts';

/** The data of a document on which its actions depend. Rows of lists and the page of a document have it. */
export type Actionable = Pick<
  RowFragment,
  | 'uid'
  | 'path'
  | 'title'
  | 'type'
  | 'facets'
  | 'isTrashed'
  | 'isProxy'
  | 'isVersion'
  | 'lockOwner'
  | 'lockCreated'
  | 'transitions'
  | 'properties'
  | 'blob'
  | 'file'
> & {
  readonly contextParameters: {
    readonly permissions: readonly string[];
    /** The notifications about the document that the user gets. Not every list contains them. */
    readonly subscribedNotifications?: readonly string[];
  };
};

export const lockOwnersOf = (documents: readonly Actionable[]): string[] =>
  documents.flatMap(({ lockOwner }) => lockOwner ?? []);

/** The documents to which the user's next action applies. */
export interface Subject {
  readonly documents: readonly Actionable[];
  /** All results of a list, including those that are not loaded; `documents` are then some of them. */
  readonly all?: { readonly found: Found; readonly count: string | undefined };
  /** Called after an action, for example to clear the selection. */
  readonly onDone?: () => void;
}

/** The documents that are selected in the list of the screen. */
const selection = createStore<Subject | undefined>(undefined);

/** The document whose page is shown. */
const shown = createStore<Subject | undefined>(undefined);

/** The folder whose children are shown, into which documents can be pasted. */
const folder = createStore<Actionable | undefined>(undefined);

let rows: readonly RowFragment[] = [];

/** Records the rows of the list that is shown. */
export function useListedRows(entries: readonly RowFragment[]): void {
  useEffect(() => {
    rows = entries;
    return () => {
      rows = [];
    };
  }, [entries]);
}

/** The documents of the list that is shown, without folders, in order. */
export const listedDocuments = (): readonly RowFragment[] =>
  rows.filter(({ facets }) => !facets.includes('Folderish'));

/** Records the selection while the component is rendered. */
export const useSelectionSubject = (subject: Subject | undefined): void => useRecorded(selection, subject);

export const useShownDocument = (subject: Subject | undefined): void => useRecorded(shown, subject);

export const useShownFolder = (document: Actionable | undefined): void => useRecorded(folder, document);

function useRecorded<T>(store: { readonly set: (value: T | undefined) => void }, value: T | undefined): void {
  useEffect(() => store.set(value));
  useEffect(() => () => store.set(undefined), [store]);
}

export const shownFolder = (): Actionable | undefined => folder.get();

const keyOf = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>('[role=row][data-key]')?.dataset.key;

/**
 * Returns the documents to which an action applies that begins at an element: the selected documents if the element is
 * in one of their rows or in no row at all, otherwise the document of the row. On the page of a document, it is this
 * document.
 */
export function subjectAt(element: Element | null): Subject | undefined {
  const key = keyOf(element);
  const selected = selection.get();
  const row = rows.find(({ uid }) => uid === key);
  if (!row) return selected ?? shown.get();
  return selected?.documents.some(({ uid }) => uid === key) ? selected : { documents: [row] };
}
