import type { AuthorityRow } from '../../../loaders/authorities/authorities.ts';
import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { renderGroup, renderUser } from '../../../model/authorities/render-authority.ts';
import type { Condition } from '../../../query/ast.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';

const maxSuggestions = 10;

/**
 * The number of suggestions that are reserved for users and, separately, for groups when documents would otherwise fill
 * the list.
 */
const reserved = 2;

const isFalse = (property: string): Condition => ({ kind: 'compare', property, op: '=', value: false });

/**
 * The maximum number of matching documents that are sorted to find the most recent ones. If more documents match,
 * PostgreSQL instead reads documents by date, newest first, until it has found enough that contain the words.
 */
const maxSorted = 3_000;

/**
 * Whether a word is only one or two letters or digits long, so that very many words begin with it. Characters of
 * scripts without case, such as Chinese, are more specific and are not considered short.
 */
const isShort = (word: string): boolean => /^[\p{Lu}\p{Ll}\p{N}]{1,2}$/u.test(word);

/** Returns the condition that the title contains one of the words. */
const inTitle = (words: readonly string[]): Condition => ({
  kind: 'compare',
  property: 'ecm:fulltext.dc:title',
  op: '=',
  value: words.join(' OR '),
});

/**
 * Returns the condition that the title contains a word that begins with the typed word or, if the typed word is short,
 * the typed word itself.
 */
const asTyped = (word: string): Condition => inTitle([isShort(word) ? word : `${word}*`]);

/** Returns the words of a search term, and the forms in which the index contains them. */
function typedWords({ services: { wordAnalysis } }: Context, term: string) {
  const words = term.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.map((word) => {
    const atoms = [...wordAnalysis.atomsOf(word)];
    return { word, stem: atoms.length === 1 ? (atoms[0]?.stem ?? '') : '' };
  });
}

async function documentsWith(
  { load }: Context,
  titles: readonly Condition[],
): Promise<readonly DocumentRow[]> {
  const where: Condition = {
    kind: 'and',
    of: [
      ...titles,
      isFalse('ecm:isVersion'),
      isFalse('ecm:isTrashed'),
      {
        kind: 'not',
        of: { kind: 'compare', property: 'ecm:mixinType', op: '=', value: 'HiddenInNavigation' },
      },
    ],
  };
  const page = { pageSize: maxSuggestions, offset: 0, maxResults: maxSorted, sortBy: [], sortOrder: [] };
  const latestFirst = [{ property: 'dc:modified', isAscending: false }];
  return (await load.search({ select: '*', from: ['Document'], where, orderBy: latestFirst }, page)).rows;
}

/**
 * Finds documents by title: first those with titles in which each typed word is the beginning of a word. If these are
 * fewer documents than can be shown, it also finds documents whose titles match after one typo in each typed word has
 * been corrected. Corrections are taken from the titles of all documents, but only documents that the caller can read
 * are found.
 */
async function findDocuments(context: Context, term: string): Promise<readonly DocumentRow[]> {
  const typed = typedWords(context, term);
  if (typed.length === 0) return [];
  const exact = await documentsWith(
    context,
    typed.map(({ word }) => asTyped(word)),
  );
  if (exact.length === maxSuggestions) return exact;
  const similar = await context.load.similarTitleWords(typed.map(({ stem }) => stem));
  if (![...similar.values()].some(({ corrected }) => corrected.length > 0)) return exact;
  // This searches for whole words. If it searched for dozens of prefixes, PostgreSQL could not estimate how many
  // documents match, and would read all of them.
  const conditions = typed.map(({ word, stem }) => {
    const { exact: beginnings = [], corrected = [] } = similar.get(stem) ?? {};
    const words = [...beginnings, ...corrected];
    return words.length > 0 ? inTitle(words) : asTyped(word);
  });
  const found = await documentsWith(context, conditions);
  const known = new Set(exact.map(({ id }) => id));
  return [...exact, ...found.filter(({ id }) => !known.has(id))].slice(0, maxSuggestions);
}

/**
 * Finds users whose names begin with the typed text. If there are fewer than can be shown, it also finds users whose
 * names match after one typo has been corrected.
 */
async function findUsers({ load }: Context, prefix: string): Promise<readonly AuthorityRow[]> {
  const { rows } = await load.users(
    { prefix, after: undefined, pageSize: maxSuggestions, offset: 0 },
    undefined,
  );
  if (rows.length === maxSuggestions) return rows;
  const similar = await load.similarUsers(prefix, maxSuggestions);
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...similar.filter(({ id }) => !known.has(id))].slice(0, maxSuggestions);
}

const suggestion = (
  type: 'document' | 'user' | 'group',
  id: string,
  shown: { readonly label: string; readonly icon?: unknown; readonly url: string },
) => ({
  type,
  id,
  label: shown.label,
  icon: shown.icon ?? null,
  url: shown.url,
  thumbnailUrl: null,
  highlights: [],
});

const ofDocument =
  ({ options }: Context) =>
  (row: DocumentRow) =>
    suggestion('document', row.id, {
      label: row.title,
      icon: row.properties['common:icon'],
      url: options.links.document(row),
    });

const ofUser =
  ({ services: { model }, options }: Context) =>
  (row: AuthorityRow) => {
    const { firstName, lastName } = renderUser(model, row, []) as Record<string, unknown>;
    const label = [firstName, lastName].filter(Boolean).join(' ') || row.id;
    return suggestion('user', row.id, { label, url: options.links.authority('user', row.id) });
  };

const ofGroup =
  ({ services: { model }, options }: Context) =>
  (row: AuthorityRow) => {
    const { grouplabel } = renderGroup(model, row) as Record<string, unknown>;
    const label = String(grouplabel || row.id);
    return suggestion('group', row.id, { label, url: options.links.authority('group', row.id) });
  };

export const searchSuggestersLauncher = operation({
  id: 'Search.SuggestersLauncher',
  label: 'Suggesters launcher',
  category: 'Services',
  description:
    'Suggests up to ten documents by title, users by name, and groups, as JSON. Words of four letters or more can contain a typo.',
  example: { params: { searchTerm: 'rep' } },
  gives: 'json',
  params: { searchTerm: shortText.required('The beginning of one or more words, or of a name.') },
  run: async (context, _, { searchTerm }) => {
    const prefix = searchTerm.trim();
    if (prefix === '') return [];
    const page = { prefix, after: undefined, pageSize: maxSuggestions, offset: 0 };
    const [documents, users, { rows: groups }] = await Promise.all([
      findDocuments(context, prefix),
      findUsers(context, prefix),
      context.load.groups(page, undefined),
    ]);
    const others = Math.min(users.length, reserved) + Math.min(groups.length, reserved);
    const shown = documents.slice(0, maxSuggestions - others);
    const free = maxSuggestions - shown.length;
    const people = users.slice(0, Math.max(reserved, free - Math.min(groups.length, reserved)));
    return [
      ...shown.map(ofDocument(context)),
      ...people.map(ofUser(context)),
      ...groups.slice(0, free - people.length).map(ofGroup(context)),
    ];
  },
});
