import { useSyncExternalStore } from 'react';
import { refresh, send } from '../graphql/client.ts';
import {
  abortBulkCommand,
  type BulkStateFragment,
  bulkCommand,
  runBulkAction,
  titles,
} from '../graphql/operations.ts';
import { refusalText } from '../graphql/refusals.ts';

/** All documents that a page provider finds. */
export interface Found {
  readonly provider: string;
  readonly namedParameters: Readonly<Record<string, unknown>>;
  readonly quickFilters: readonly string[];
}

/** An action of the server over all documents that were found, under way or over. */
export interface Bulk {
  readonly id: string;
  readonly label: string;
  readonly status: BulkStateFragment;
  /** What was refused, by name. */
  readonly failed: readonly string[];
  /** Why it is no longer known how far it is. */
  readonly fault?: string;
}

/** Milliseconds between two looks at an action. */
const pause = 700;

/** Refused documents that are named; their number counts all. */
const mostNamed = 100;

let bulks: readonly Bulk[] = [];
const listeners = new Set<() => void>();

function show(changed: readonly Bulk[]): void {
  bulks = changed;
  for (const listener of listeners) listener();
}

const isShown = (id: string): boolean => bulks.some((bulk) => bulk.id === id);

const put = (changed: Bulk): void => show(bulks.map((bulk) => (bulk.id === changed.id ? changed : bulk)));

export const useBulks = (): readonly Bulk[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => bulks,
  );

export const isOver = ({ status, fault }: Bulk): boolean =>
  fault !== undefined || status.state === 'COMPLETED' || status.state === 'ABORTED';

export const forgetBulk = (id: string): void => show(bulks.filter((bulk) => bulk.id !== id));

/** They go on, unseen by the next user of the page. */
export const dropBulks = (): void => show([]);

async function named({ failures }: BulkStateFragment): Promise<readonly string[]> {
  const shown = failures.slice(0, mostNamed);
  if (shown.length === 0) return [];
  const { documents } = await send(titles, { ids: shown.map(({ id }) => id) });
  const known = new Map(documents.flatMap((each) => (each ? [[each.uid, each.title] as const] : [])));
  return shown.map(
    ({ id, message, permission, lockOwner }) =>
      `${known.get(id) ?? id}: ${refusalText(message ?? '', { permission: permission ?? undefined, lockOwner: lockOwner ?? undefined })}`,
  );
}

/** Looks at the action until it is over, or not shown any more. */
async function follow(bulk: Bulk): Promise<void> {
  let now = bulk;
  show([...bulks, now]);
  try {
    while (!isOver(now)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (!isShown(bulk.id)) return;
      now = { ...now, status: (await send(bulkCommand, { id: bulk.id })).bulkCommand };
      put(now);
    }
    put({ ...now, failed: await named(now.status) });
  } catch (error) {
    put({ ...now, fault: (error as Error).message });
  }
  await refresh();
}

/** Begins an action over all that was found. @throws Fault when the server does not take it */
export async function runBulk(
  { provider, namedParameters, quickFilters }: Found,
  action: string,
  label: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const asked = { action, provider, namedParameters, quickFilters: [...quickFilters], parameters };
  const { runBulkAction: status } = await send(runBulkAction, asked);
  void follow({ id: status.commandId, label, status, failed: [] });
}

/** The rest of the action is left undone. */
export const abortBulk = (id: string): Promise<unknown> => send(abortBulkCommand, { id });
