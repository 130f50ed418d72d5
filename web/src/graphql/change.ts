import { attempt } from '../parts/notices.tsx';
import { refresh } from './client.ts';

/** Runs a write, notifies the user of its success or failure, and reloads the data that is shown. */
export const change = (work: () => Promise<unknown>, done?: string): void =>
  void attempt(async () => {
    await work();
    await refresh();
  }, done);
