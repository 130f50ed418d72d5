import type { Session } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import type { WordAnalysis } from '../../words/atoms.ts';

/** A fault that a check has found. */
export interface CheckFault {
  /** The name of the kind of fault, as explained in docs/operations.md. */
  readonly kind: string;
  readonly message: string;
  /** The repository, id and path of the faulty document, if the fault concerns a document. */
  readonly repository?: string;
  readonly id?: string;
  readonly path?: string;
}

export type FoundFault = CheckFault & { readonly isRepaired: boolean };

/** The context in which a check runs. */
export interface CheckContext extends Pick<Services, 'blobs' | 'model'> {
  readonly database: Session;
  /** Whether to repair faults if this can be done without losing data. */
  readonly isRepairing: boolean;
  /** Whether to read the bytes of all blobs in order to verify their digests. */
  readonly readsBytes: boolean;
  /** The media types of files that contain text, from `typesWithText`. */
  readonly textTypes?: string;
  readonly analysis?: WordAnalysis;
  /** Ends the check after the current slice. */
  readonly signal: AbortSignal;
  /** @param count the number of rows that this check has read so far. */
  readonly onProgress: (count: number) => void;
  readonly onFault: (fault: FoundFault) => void;
}

/** A result of a check that is not a fault. */
export interface CheckNote {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Up to 100 of the items that the note counts. */
  readonly details?: readonly CheckFault[];
}

/** A check of the consistency of the database and the blob store. */
export interface Check {
  readonly name: string;
  /**
   * Runs the check.
   * @returns a note about something that does not count as a fault, if there is one
   */
  run(context: CheckContext): Promise<CheckNote | undefined>;
}
