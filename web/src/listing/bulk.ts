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
import { text } from '../texts/text.ts';
import { changedRows, type FoundRow, rowsBefore } from './bulk-undo.ts';
import { withEach } from './selection.ts';

/**
 * Identifies all documents in a search result, whether loaded or not, by a page provider and its parameters.
 */
export interface Found {
  readonly provider: string;
  readonly namedParameters: Readonly<Record<string, unknown>>;
  readonly quickFilters: readonly string[];
}

/** A running or completed bulk action that the server applies to a search result. */
export interface Bulk {
  readonly id: string;
  readonly label: string;
  readonly status: BulkStateFragment;
  /** A line for each document that failed, with its title and the reason. */
  readonly failed: readonly string[];
  /** The error that stopped the polling. After it, the progress of the action is unknown. */
  readonly fault?: string;
  /** Reverses the action; absent while it runs, and if it cannot be reversed. */
  readonly undo?: () => Promise<void>;
}

/** Reverses a bulk action for a document, which is passed as it was before. */
type Reverse = (before: FoundRow) => Promise<unknown>;

/** The number of milliseconds between two polls. */
const pollInterval = 700;

/** The maximum number of failed documents that are listed. The error count is not limited. */
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
 * Removes all bulk actions from the page when the user signs out, so that the next user does not see them. The
 * server continues to run the actions.
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

/** Returns the function that reverses a completed action, and closes its panel. */
function undoOf(bulk: Bulk, before: readonly FoundRow[] | undefined, reverse: Reverse | undefined) {
  const changed = before && reverse && changedRows(before, bulk);
  if (!changed || changed.length === 0) return {};
  return {
    undo: () => {
      forgetBulk(bulk.id);
      return withEach(changed, reverse, text('done.undone'));
    },
  };
}

/** Polls the status of an action until the action ends or its panel is closed. */
async function follow(bulk: Bulk, before?: readonly FoundRow[], reverse?: Reverse): Promise<void> {
  let now = bulk;
  show([...bulks, now]);
  try {
    while (!isOver(now)) {
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
      if (!isShown(bulk.id)) return;
      now = { ...now, status: (await send(bulkCommand, { id: bulk.id })).bulkCommand };
      put(now);
    }
    const isWhole = now.status.state === 'COMPLETED';
    put({ ...now, failed: await failureLines(now.status), ...(isWhole && undoOf(now, before, reverse)) });
  } catch (error) {
    put({ ...now, fault: (error as Error).message });
  }
  await refresh();
}

/**
 * Starts a bulk action over a search result.
 * @param reverse reverses the action for a document; the panel offers it for up to a thousand documents
 * @throws Fault if the server rejects the action
 */
export async function runBulk(
  found: Found,
  action: string,
  label: string,
  parameters: Readonly<Record<string, unknown>> = {},
  reverse?: Reverse,
): Promise<void> {
  const { provider, namedParameters, quickFilters } = found;
  const before = reverse && (await rowsBefore(found));
  const variables = { action, provider, namedParameters, quickFilters: [...quickFilters], parameters };
  const { runBulkAction: status } = await send(runBulkAction, variables);
  void follow({ id: status.commandId, label, status, failed: [] }, before, reverse);
}

/** Stops a bulk action. Documents that were already processed remain changed. */
export const abortBulk = (id: string): Promise<unknown> => send(abortBulkCommand, { id });
