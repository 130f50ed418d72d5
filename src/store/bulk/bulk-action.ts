import type { z } from 'zod';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';

interface NamedAction<Parameters> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly parameters: z.ZodType<Parameters>;
  /** Rejects parameters that would be invalid for any document. */
  readonly check?: (context: Context, parameters: Parameters) => void;
}

/** An action that changes each document that a query finds. */
export interface ChangeAction<Parameters = unknown> extends NamedAction<Parameters> {
  /**
   * Changes one document.
   * @throws the same error that a request to change only this document would receive
   */
  readonly run: (context: Context, id: string, parameters: Parameters) => Promise<unknown>;
  /**
   * Changes many documents in a few statements. Documents that need more work are left to `run`.
   * @returns the ids of the changed documents
   */
  readonly runTogether?: (
    scope: Scope,
    ids: readonly string[],
    parameters: Parameters,
  ) => Promise<readonly string[]>;
}

/** An action that writes a file with one or more lines for each document that a query finds. */
export interface ExportAction<Parameters = unknown> extends NamedAction<Parameters> {
  /** Whether the documents are ordered by id; otherwise, parents precede their children. */
  readonly isById?: (parameters: Parameters) => boolean;
  /** Whether the file is zipped. */
  readonly isZipped?: (parameters: Parameters) => boolean;
  readonly mimeType: string;
  /** The file name extension, without a dot. */
  readonly ending: string;
  /** The text that precedes the lines of the documents. */
  readonly header: (scope: Scope, parameters: Parameters) => string;
  /**
   * Returns one string per document, because a single string for all of them could exceed the maximum string length.
   */
  readonly lines: (
    context: Context,
    documents: readonly DocumentRow[],
    parameters: Parameters,
  ) => Promise<readonly string[]>;
}

export type BulkAction = ChangeAction | ExportAction;

export const changeAction = <Parameters>(action: ChangeAction<Parameters>): BulkAction =>
  action as ChangeAction;

export const exportAction = <Parameters>(action: ExportAction<Parameters>): BulkAction =>
  action as ExportAction;

export const isExport = (action: BulkAction): action is ExportAction => 'lines' in action;
