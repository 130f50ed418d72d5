import type { z } from 'zod';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';

interface NamedAction<Parameters> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly parameters: z.ZodType<Parameters>;
  /** Refuses parameters that no document could take. */
  readonly check?: (context: Context, parameters: Parameters) => void;
}

/** What can be done to each document that a query finds. */
export interface ChangeAction<Parameters = unknown> extends NamedAction<Parameters> {
  /** Throws what a request for this document alone would be answered with. */
  readonly run: (context: Context, id: string, parameters: Parameters) => Promise<unknown>;
  /**
   * Does the same to many documents at once, and leaves out those that it cannot: they are left to `run`.
   * @returns the ids of those that are done.
   */
  readonly runTogether?: (
    scope: Scope,
    ids: readonly string[],
    parameters: Parameters,
  ) => Promise<readonly string[]>;
}

/** A file with lines of the documents that a query finds. */
export interface ExportAction<Parameters = unknown> extends NamedAction<Parameters> {
  /** Whether the documents come in the order of their ids, not parents first. */
  readonly isById?: (parameters: Parameters) => boolean;
  /** Whether the file is put into an archive. */
  readonly isZipped?: (parameters: Parameters) => boolean;
  readonly mimeType: string;
  /** Of the file's name, without a dot. */
  readonly ending: string;
  /** What precedes the lines of all documents. */
  readonly header: (scope: Scope, parameters: Parameters) => string;
  /** A text for each document: that of many could be longer than a string may be. */
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
