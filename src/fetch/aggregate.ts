import { either, type Field, type Selection } from '../selection.ts';

/** Entities as they are inside of what is asked for. */
interface Inside {
  readonly user: Field;
  readonly directoryEntry: Selection;
  readonly document: Field;
}

/** §10 `fetch.aggregate`: what each name adds to a bucket. */
export const aggregate: Readonly<Record<string, (inside: Inside) => Selection>> = {
  key: ({ user, directoryEntry, document }) => ({
    fetchedKey: either({ name: 'reference', of: { user, directoryEntry, document } }),
  }),
};
