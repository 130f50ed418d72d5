import type { Session } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services.ts';
import type { Draft } from './drafts.ts';
import type { PendingFolder } from './entries.ts';

/** The services and settings that an import uses. */
export interface ImportContext extends Pick<Services, 'blobs' | 'config' | 'markdownType' | 'model'> {
  readonly database: Session;
  readonly repository: string;
  readonly user: string;
  /** The data folder of the server, which is skipped if it is below the imported folder. */
  readonly dataFolder: string;
  /**
   * Runs work in a transaction in which extensions can check and complete the imported documents. Absent if no
   * extension does so, or if the documents are imported as they were stored.
   */
  readonly listening?: (<T>(work: (scope: Scope) => Promise<T>) => Promise<T>) | undefined;
}

export interface ImportCounts {
  readonly created: Record<Draft['type'], number>;
  existing: number;
  skipped: number;
  bytes: number;
}

export const createdIn = ({ created }: ImportCounts): number =>
  Object.values(created).reduce((sum, count) => sum + count, 0);

/** The state of an import in progress. */
export interface ImportState {
  readonly context: ImportContext;
  readonly counts: ImportCounts;
  readonly skip: (path: string, reason: string) => void;
  readonly progress: () => void;
  /** A stack of folders that have not been read yet. Reading in depth-first order keeps the stack short. */
  readonly pending: PendingFolder[];
}
