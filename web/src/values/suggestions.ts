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
import { fullName, useName } from './names.ts';

/**
 * Describes what the ids in a field refer to. Both `principal` and `actor` refer to users and groups, but ids of an
 * `actor` have the prefix `user:` or `group:`, as in tasks.
 */
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

/**
 * Flattens a tree of directory entries. Entries without an id are omitted, because they only group other entries and
 * cannot be chosen.
 */
const flat = (entries: readonly RawEntry[]): Suggestion[] =>
  entries.flatMap(({ id, computedId, displayLabel, absoluteLabel, children = [] }) => [
    ...(computedId === undefined && id === undefined
      ? []
      : [{ id: computedId ?? id ?? '', label: absoluteLabel ?? displayLabel }]),
    ...flat(children),
  ]);

const isPerson = (to: string): boolean => ['user', 'group', 'principal', 'actor'].includes(to);

const placeholderData = keepPreviousData;

function useEntries(directory: string, term: string, enabled: boolean): readonly Suggestion[] {
  const { data } = useAnswer(suggestEntries, { directory, term }, { enabled, placeholderData });
  return flat((data?.directorySuggestEntries.json ?? []) as RawEntry[]);
}

/** Adds the prefix for actors to the ids of suggestions, as in `user:ann` and `group:members`. */
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
  const hasTerm = enabled && term.trim() !== '';
  const { data } = useAnswer(suggestDocuments, { term }, { enabled: hasTerm, placeholderData });
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

/**
 * Loads the suggestions for a search term.
 * @param isEnabled whether to send the request. Suggestions are needed only while the list is open.
 */
export function useSuggestions({ to, directory }: Reference, term: string, isEnabled: boolean) {
  const isDirectory = to === 'directory';
  const entries = useEntries(directory ?? '', term, isEnabled && isDirectory);
  const people = usePrincipals(to, term, isEnabled && isPerson(to));
  const documents = useDocuments(term, isEnabled && to === 'document');
  const found = useCollections(term, isEnabled && to === 'collection');
  if (isDirectory) return entries;
  if (to === 'collection') return found;
  return to === 'document' ? documents : people;
}

/** Returns the label of a directory entry in the language of the page. */
export function entryLabel(id: string, properties: unknown): string {
  const values = properties as Record<string, unknown>;
  return String(values[`label_${language()}`] ?? values.label ?? id);
}

/** Returns the label of a stored id. Returns the id itself until the label is loaded. */
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
  const person = useName(isPerson(to) ? value : '');
  const [entry] = (entries.data?.directoryReadEntries.json ?? []) as unknown[];
  if (isEntry && entry) return entryLabel(id, entry);
  if (isDocument) return documents.data?.documents[0]?.title ?? value;
  return isPerson(to) ? person : value;
}
