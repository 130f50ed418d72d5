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

/** A page provider with its parameters: identifies all documents of a search result, loaded or not. */
export interface Found {
  readonly provider: string;
  readonly namedParameters: Readonly<Record<string, unknown>>;
  readonly quickFilters: readonly string[];
}

/** A bulk action that the server runs over a search result; it may be running or completed. */
export interface Bulk {
  readonly id: string;
  readonly label: string;
  readonly status: BulkStateFragment;
  /** One line for each document that failed: its title and the reason. */
  readonly failed: readonly string[];
  /** The error that ended the polling, after which the progress is unknown. */
  readonly fault?: string;
}

/** Milliseconds between two polls of the status of an action. */
const pollInterval = 700;

/** Maximum number of failed documents that are listed; the error count still includes all of them. */
const maxListedFailures = 100;

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

/**
 * Hides all bulk actions when the user signs out, so that the next user does not see them; the server continues
 * them.
 */
export const dropBulks = (): void => show([]);

async function failureLines({ failures }: BulkStateFragment): Promise<readonly string[]> {
  const shown = failures.slice(0, maxListedFailures);
  if (shown.length === 0) return [];
  const { documents } = await send(titles, { ids: shown.map(({ id }) => id) });
  const known = new Map(documents.flatMap((each) => (each ? [[each.uid, each.title] as const] : [])));
  return shown.map(
    ({ id, message, permission, lockOwner }) =>
      `${known.get(id) ?? id}: ${refusalText(message ?? '', { permission: permission ?? undefined, lockOwner: lockOwner ?? undefined })}`,
  );
}

/** Polls the status of an action until the action ends or its panel is closed. */
async function follow(bulk: Bulk): Promise<void> {
  let now = bulk;
  show([...bulks, now]);
  try {
    while (!isOver(now)) {
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
      if (!isShown(bulk.id)) return;
      now = { ...now, status: (await send(bulkCommand, { id: bulk.id })).bulkCommand };
      put(now);
    }
    put({ ...now, failed: await failureLines(now.status) });
  } catch (error) {
    put({ ...now, fault: (error as Error).message });
  }
  await refresh();
}

/** Starts a bulk action over a search result. @throws Fault if the server refuses the action */
export async function runBulk(
  { provider, namedParameters, quickFilters }: Found,
  action: string,
  label: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const variables = { action, provider, namedParameters, quickFilters: [...quickFilters], parameters };
  const { runBulkAction: status } = await send(runBulkAction, variables);
  void follow({ id: status.commandId, label, status, failed: [] });
}

/** Stops a bulk action; documents that were already processed stay changed. */
export const abortBulk = (id: string): Promise<unknown> => send(abortBulkCommand, { id });
