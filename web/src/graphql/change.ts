import { attempt } from '../parts/notices.tsx';
import { refresh } from './client.ts';

/** Writes, says what came of it, and reads again what is shown. */
export const change = (work: () => Promise<unknown>, done?: string): void =>
  void attempt(async () => {
    await work();
    await refresh();
  }, done);
