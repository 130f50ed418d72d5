import type { DocumentRow } from '../documents/document-row.ts';
import type { PageShape } from '../lists/page.ts';
import type { AggregateResult } from './aggregates.ts';

/** A page of documents that a search or a page provider found. */
export interface DocumentsPage extends PageShape<DocumentRow> {
  /** The quick filters of the page provider, with those active that the request names. */
  readonly quickFilters?: ReadonlyArray<{ readonly name: string; readonly isActive: boolean }>;
  /** Computes the aggregates. Called only if the answer selects them. */
  readonly aggregates?: () => Promise<readonly AggregateResult[]>;
  /** Reads another page of the same search. */
  readonly pageAt?: (offset: number) => Promise<DocumentsPage>;
}
