import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../graphql/client.ts';
import {
  collections,
  documentTitle,
  principals,
  readEntries,
  suggestDocuments,
  suggestEntries,
} from '../graphql/operations.ts';
import { language } from '../texts/language.ts';

/** What the ids of a field refer to; `principal` is a user or a group, and so is `actor`, as tasks name them. */
export interface Reference {
  readonly to: string;
  readonly directory?: string | null;
  readonly separator?: string | null;
}

export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
}

interface RawEntry {
  readonly id?: string;
  readonly computedId?: string;
  readonly displayLabel: string;
  readonly absoluteLabel?: string;
  readonly children?: readonly RawEntry[];
}

/** Entries that may be chosen; those above others have none to choose. */
const flat = (entries: readonly RawEntry[]): Suggestion[] =>
  entries.flatMap(({ id, computedId, displayLabel, absoluteLabel, children = [] }) => [
    ...(computedId === undefined && id === undefined
      ? []
      : [{ id: computedId ?? id ?? '', label: absoluteLabel ?? displayLabel }]),
    ...flat(children),
  ]);

const fullName = (properties: unknown): string => {
  const { firstName, lastName } = properties as Record<string, string | null>;
  return [firstName, lastName].filter(Boolean).join(' ');
};

const isPerson = (to: string): boolean => ['user', 'group', 'principal', 'actor'].includes(to);

const placeholderData = keepPreviousData;

function useEntries(directory: string, term: string, enabled: boolean): readonly Suggestion[] {
  const { data } = useAnswer(suggestEntries, { directory, term }, { enabled, placeholderData });
  return flat((data?.directorySuggestEntries.json ?? []) as RawEntry[]);
}

/** As tasks name their actors. */
const prefixed = (kind: string, found: readonly Suggestion[]): Suggestion[] =>
  found.map(({ id, ...more }) => ({ id: `${kind}:${id}`, ...more }));

function usePrincipals(to: string, term: string, enabled: boolean): readonly Suggestion[] {
  const { data } = useAnswer(principals, { term: term || '*' }, { enabled, placeholderData });
  const users = (data?.users.entries ?? []).map(({ id, properties }) => ({
    id,
    label: fullName(properties) || id,
    detail: id,
  }));
  const groups = (data?.groups.entries ?? []).map(({ id, grouplabel }) => ({
    id,
    label: grouplabel || id,
    detail: id,
  }));
  if (to === 'actor') return [...prefixed('group', groups), ...prefixed('user', users)];
  if (to === 'group') return groups;
  return to === 'user' ? users : [...groups, ...users];
}

function useDocuments(term: string, enabled: boolean): readonly Suggestion[] {
  const isAsked = enabled && term.trim() !== '';
  const { data } = useAnswer(suggestDocuments, { term }, { enabled: isAsked, placeholderData });
  return (data?.search.entries ?? []).map(({ uid, title, path }) => ({
    id: uid,
    label: title,
    detail: path,
  }));
}

function useCollections(term: string, enabled: boolean): readonly Suggestion[] {
  const { data } = useAnswer(collections, { term }, { enabled, placeholderData });
  return (data?.userGetCollections.page?.entries ?? []).map(({ uid, title }) => ({ id: uid, label: title }));
}

/** @param isAsked whether the reader has begun to choose. */
export function useSuggestions({ to, directory }: Reference, term: string, isAsked: boolean) {
  const isDirectory = to === 'directory';
  const entries = useEntries(directory ?? '', term, isAsked && isDirectory);
  const people = usePrincipals(to, term, isAsked && isPerson(to));
  const documents = useDocuments(term, isAsked && to === 'document');
  const found = useCollections(term, isAsked && to === 'collection');
  if (isDirectory) return entries;
  if (to === 'collection') return found;
  return to === 'document' ? documents : people;
}

/** The label of an entry in the language of the page. */
export function entryLabel(id: string, properties: unknown): string {
  const values = properties as Record<string, unknown>;
  return String(values[`label_${language()}`] ?? values.label ?? id);
}

/** The name of a user or group; `principals` finds by the beginning of an id. */
function usePersonLabel(to: string, value: string): string {
  const id = value.replace(/^(user|group):/, '');
  const known = usePrincipals('principal', id, isPerson(to) && id !== '');
  return known.find((each) => each.id === id)?.label ?? id;
}

/** The text for a stored id; the id itself until it is known. */
export function useValueLabel({ to, directory, separator }: Reference, value: string): string {
  const isEntry = to === 'directory' && value !== '';
  const id = separator ? (value.split(separator).at(-1) ?? value) : value;
  const entries = useAnswer(
    readEntries,
    { directory: directory ?? '', ids: [id] },
    { enabled: isEntry, staleTime: 600_000 },
  );
  const isDocument = ['document', 'collection'].includes(to) && value !== '';
  const documents = useAnswer(documentTitle, { id: value }, { enabled: isDocument, staleTime: 60_000 });
  const person = usePersonLabel(to, value);
  const [entry] = (entries.data?.directoryReadEntries.json ?? []) as unknown[];
  if (isEntry && entry) return entryLabel(id, entry);
  if (isDocument) return documents.data?.documents[0]?.title ?? value;
  return isPerson(to) ? person : value;
}
