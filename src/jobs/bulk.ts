import type { Database } from '../db/database.ts';
import { accountOf } from '../loaders/authorities/account.ts';
import type { Context } from '../loaders/context.ts';
import type { SearchIndex } from '../scope.ts';
import type { Principal } from '../security/principal.ts';
import { type DueCommand, nextBulkCommand, noteFailedSlice } from '../store/bulk/next-command.ts';
import { runBulkSlice } from '../store/bulk/run-slice.ts';

/** Runs work in one transaction, as a user in a repository. */
export type RunAs = (
  user: Principal,
  repository: string,
  work: (context: Context) => Promise<void>,
) => Promise<void>;

export interface BulkServices {
  readonly database: Pick<Database, 'query' | 'announcements'>;
  readonly searchIndex: Pick<SearchIndex, 'catchUp'>;
  readonly runAs: RunAs;
  readonly principalOf: (account: Pick<Principal, 'id' | 'groups'>) => Principal;
  /** Milliseconds after which commands of processes that died are looked for. */
  readonly interval?: number;
  readonly onError: (error: unknown, command?: string) => void;
}

const userGone = { error: 'its user is gone', isFinal: true };

/** The groups of the user are read for each slice: rights that are taken away count at once. */
async function takeStep(
  services: BulkServices,
  { id, repository, username, state }: DueCommand,
): Promise<void> {
  const { database, searchIndex, runAs, principalOf, onError } = services;
  try {
    const account = await accountOf(database, username);
    if (!account) return void (await noteFailedSlice(database, id, userGone));
    if (state !== 'RUNNING') await searchIndex.catchUp(database, false); // later slices do not search
    await runAs(principalOf(account), repository, (context) => runBulkSlice(context, id));
  } catch (error) {
    onError(error, id);
    await noteFailedSlice(database, id, { error: 'a slice failed: the log of the server says why' });
  }
}

/**
 * Works on bulk actions, a slice of each in turn, as soon as they are committed.
 * @returns a function that stops it: it resolves when the slice under way is done.
 */
export function startBulkActions(services: BulkServices): () => Promise<void> {
  const { database, interval = 10_000, onError } = services;
  let isStopping = false;
  let isAsked = false;
  let running: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    while (isAsked && !isStopping) {
      isAsked = false;
      for (;;) {
        const due = isStopping ? undefined : await nextBulkCommand(database);
        if (!due) break;
        await takeStep(services, due);
      }
    }
  };
  const wake = (): void => {
    isAsked = true;
    running ??= work()
      .catch((error: unknown) => onError(error))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(wake, interval).unref();
  const unregister = database.announcements.on('bulk', wake);
  wake();
  return async () => {
    isStopping = true;
    clearInterval(timer);
    unregister();
    await running;
  };
}
