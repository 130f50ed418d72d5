import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../graphql/client.ts';
import { titles as titlesOf } from '../graphql/operations.ts';
import { textOr } from '../texts/text.ts';
import { Differences } from '../versions/differences.tsx';

/** The data of log entries that the console shows. Which of them are present depends on the event. */
export interface Extended {
  /** The message key for the name of the task. */
  readonly taskName?: string;
  /** The name of the button that completed the task. */
  readonly action?: string;
  /** The name of the workflow model. */
  readonly modelName?: string;
  /** The states of the document before and after a transition. */
  readonly from?: string;
  readonly to?: string;
  /** The kinds of ACLs that were changed. */
  readonly acls?: readonly string[];
  /** The tags that were added and removed. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  /** The properties that were changed. */
  readonly changes?: ReadonlyArray<{
    readonly property: string;
    readonly before: unknown;
    readonly after: unknown;
  }>;
  /** The id of the section in which the document was published, and the version. */
  readonly section?: string;
  readonly version?: string;
  /** The id of the collection to which the document was added. */
  readonly collection?: string;
}

export const extendedOf = ({ extended }: { readonly extended: unknown }): Extended =>
  (extended ?? {}) as Extended;

/** Loads the titles of documents, by id. Documents that no longer exist or that the user cannot read are omitted. */
export function useTitles(wanted: ReadonlyArray<string | null | undefined>): ReadonlyMap<string, string> {
  const ids = [...new Set(wanted.flatMap((id) => id ?? []))];
  const { data } = useAnswer(
    titlesOf,
    { ids },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  );
  return new Map((data?.documents ?? []).flatMap((each) => (each ? [[each.uid, each.title] as const] : [])));
}

/** The ids of the sections and collections that log entries refer to. */
export const placesOf = (entries: ReadonlyArray<{ readonly extended: unknown }>): string[] =>
  entries.flatMap((entry) => {
    const { section, collection } = extendedOf(entry);
    return [section, collection].filter((id) => id !== undefined);
  });

const stateText = (state: string | undefined): string => (state ? textOr(`state.${state}`, state) : '');

interface ChangesProps {
  readonly entry: { readonly eventId: string; readonly extended: unknown };
  /** Whether to also show what the sentences of the history already say: states and tags. */
  readonly isComplete?: boolean;
}

/** Shows word by word what an event has changed: each property with its former and its new value. */
export function Changes({ entry, isComplete = false }: ChangesProps) {
  const { changes = [], from, to, added, removed } = extendedOf(entry);
  const all = changes.map(({ property, before, after }) => [property, before, after] as const);
  const others = [
    ...(to ? [['ecm:currentLifeCycleState', stateText(from), stateText(to)] as const] : []),
    ...(added || removed ? [['nxtag:tags', removed?.join(', '), added?.join(', ')] as const] : []),
  ];
  const shown = isComplete ? [...all, ...others] : all;
  if (shown.length === 0) return null;
  return (
    <Differences
      before={Object.fromEntries(shown.map(([property, before]) => [property, before]))}
      after={Object.fromEntries(shown.map(([property, , after]) => [property, after]))}
    />
  );
}
