import type { z } from 'zod';
import type { Scope } from '../../scope.ts';

/** What can be done to each document that a query finds. */
export interface BulkAction<Parameters = unknown> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly parameters: z.ZodType<Parameters>;
  /** Refuses parameters that no document could take. */
  readonly check?: (scope: Scope, parameters: Parameters) => void;
  /** Throws what a request for this document alone would be answered with. */
  readonly run: (scope: Scope, id: string, parameters: Parameters) => Promise<unknown>;
}

/** Checks the types. */
export const bulkAction = <Parameters>(action: BulkAction<Parameters>): BulkAction => action as BulkAction;
