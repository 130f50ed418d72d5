import type { DocumentRow } from '../documents/document-row.ts';
import type { PageShape } from '../lists/page.ts';
import type { AggregateResult } from './aggregates.ts';

export interface DocumentsPage extends PageShape<DocumentRow> {
  /** Quick filters of the page provider, and whether the request switched them on. */
  readonly quickFilters?: ReadonlyArray<{ readonly name: string; readonly isActive: boolean }>;
  /** Computed only when the answer selects them. */
  readonly aggregates?: () => Promise<readonly AggregateResult[]>;
  /** Another page of the same search. */
  readonly pageAt?: (offset: number) => Promise<DocumentsPage>;
}
