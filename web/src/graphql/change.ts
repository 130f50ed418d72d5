import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { refresh } from './client.ts';

/** Returns a function that performs the write and then reloads the displayed data. */
const withRefresh = (work: () => Promise<unknown>) => async (): Promise<void> => {
  await work();
  await refresh();
};

/**
 * Performs a write, notifies the user of its success or failure, and reloads the displayed data. If `undo` is given,
 * the notification offers to undo the write.
 */
export const change = (work: () => Promise<unknown>, done?: string, undo?: () => Promise<unknown>): void =>
  void attempt(withRefresh(work), done, undo && (() => attempt(withRefresh(undo), text('done.undone'))));
