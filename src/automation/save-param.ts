import { flag } from './kinds.ts';
import { optionally } from './params.ts';

/** Whether a change is saved: there is nothing that would be done with one that is not. */
export const saveParam = optionally(flag, true, 'Every change is saved: only true is served.', {
  values: ['true'],
});
