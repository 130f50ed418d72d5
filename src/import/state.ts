import type { Session } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { Draft } from './drafts.ts';
import type { PendingFolder } from './entries.ts';

/** The services and settings of an import. */
export interface ImportContext extends Pick<Services, 'blobs' | 'config' | 'markdownType' | 'model'> {
  readonly database: Session;
  readonly repository: string;
  readonly user: string;
  /** The data folder of the server. It is skipped if it is inside the imported folder. */
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

/** The state of a running import. */
export interface ImportState {
  readonly context: ImportContext;
  readonly counts: ImportCounts;
  readonly skip: (path: string, reason: string) => void;
  readonly progress: () => void;
  /** A stack of the folders that are still to be read. Depth-first order keeps it short. */
  readonly pending: PendingFolder[];
}
