import type { Session } from '../../db/database.ts';
import type { Services } from '../../services.ts';

export interface CheckFault {
  /** One of the words that docs/operations.md explains. */
  readonly kind: string;
  readonly message: string;
  /** The document, where the fault is one of a document. */
  readonly repository?: string;
  readonly id?: string;
  readonly path?: string;
}

export type FoundFault = CheckFault & { readonly isMended: boolean };

/** What one run of a check has. */
export interface CheckContext extends Pick<Services, 'blobs' | 'model'> {
  readonly database: Session;
  /** Whether faults are mended, as far as nothing is lost by it. */
  readonly isMending: boolean;
  /** Whether the bytes of all blobs are read. */
  readonly readsBytes: boolean;
  /** Which files have text: what `typesWithText` returns. */
  readonly textTypes?: string;
  /** Ends the check after the slice at hand. */
  readonly signal: AbortSignal;
  /** @param count the rows that this check has looked at so far. */
  readonly onProgress: (count: number) => void;
  readonly onFault: (fault: FoundFault) => void;
}

export interface CheckNote {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
  /** What the note counts, one by one; at most 100. */
  readonly details?: readonly CheckFault[];
}

export interface Check {
  readonly name: string;
  /** @returns what is no fault, and is to be said. */
  run(context: CheckContext): Promise<CheckNote | undefined>;
}
