import type { DocumentRow } from '../documents/document-row.ts';
import type { PageShape } from '../lists/page.ts';
import type { AggregateResult } from './aggregates.ts';

/** A page of documents found by a search or a page provider. */
export interface DocumentsPage extends PageShape<DocumentRow> {
  /** The quick filters of the page provider. A filter is active if the request names it. */
  readonly quickFilters?: ReadonlyArray<{ readonly name: string; readonly isActive: boolean }>;
  /** Computes the aggregates. This function is called only if the response includes them. */
  readonly aggregates?: () => Promise<readonly AggregateResult[]>;
  /** Reads another page of the same search. */
  readonly pageAt?: (offset: number) => Promise<DocumentsPage>;
}
