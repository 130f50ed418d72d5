import type { Session } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { Draft } from './drafts.ts';
import type { PendingFolder } from './entries.ts';

/** What one import has. */
export interface ImportContext extends Pick<Services, 'blobs' | 'config' | 'markdownType' | 'model'> {
  readonly database: Session;
  readonly repository: string;
  readonly user: string;
  /** The folder of the blob store, which is not imported when it is inside the imported folder. */
  readonly dataFolder: string;
}

export interface ImportCounts {
  readonly created: Record<Draft['type'], number>;
  kept: number;
  skipped: number;
  bytes: number;
}

export const createdIn = ({ created }: ImportCounts): number =>
  Object.values(created).reduce((sum, count) => sum + count, 0);

export interface ImportState {
  readonly context: ImportContext;
  readonly counts: ImportCounts;
  readonly skip: (path: string, reason: string) => void;
  readonly progress: () => void;
  /** Folders that are still to be read, the next one last: depth first keeps the list short. */
  readonly pending: PendingFolder[];
}
