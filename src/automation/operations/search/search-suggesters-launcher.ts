import type { AuthorityRow } from '../../../loaders/authorities/authorities.ts';
import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { renderGroup, renderUser } from '../../../model/authorities/render-authority.ts';
import type { Condition } from '../../../query/ast.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';

const maxSuggestions = 10;

/** The number of suggestions reserved for users, and for groups, if documents would fill the list. */
const reserved = 2;

const isFalse = (property: string): Condition => ({ kind: 'compare', property, op: '=', value: false });

/** A full-text query for documents that contain a word starting with each word of the term. */
const wordsOf = (term: string): string =>
  term
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => `${word}*`)
    .join(' ');

async function findDocuments({ load }: Context, term: string): Promise<readonly DocumentRow[]> {
  const words = wordsOf(term);
  if (words === '') return [];
  const where: Condition = {
    kind: 'and',
    of: [
      { kind: 'compare', property: 'ecm:fulltext', op: '=', value: words },
      isFalse('ecm:isVersion'),
      isFalse('ecm:isTrashed'),
      {
        kind: 'not',
        of: { kind: 'compare', property: 'ecm:mixinType', op: '=', value: 'HiddenInNavigation' },
      },
    ],
  };
  const page = { pageSize: maxSuggestions, offset: 0, maxResults: maxSuggestions, sortBy: [], sortOrder: [] };
  const latestFirst = [{ property: 'dc:modified', isAscending: false }];
  return (await load.search({ select: '*', from: ['Document'], where, orderBy: latestFirst }, page)).rows;
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
  description: 'Suggests up to ten documents, users and groups for the beginning of a search term, as JSON.',
  example: { params: { searchTerm: 'rep' } },
  gives: 'json',
  params: { searchTerm: shortText.required('The beginnings of words, or of a name.') },
  run: async (context, _, { searchTerm }) => {
    const prefix = searchTerm.trim();
    if (prefix === '') return [];
    const page = { prefix, after: undefined, pageSize: maxSuggestions, offset: 0 };
    const [documents, { rows: users }, { rows: groups }] = await Promise.all([
      findDocuments(context, prefix),
      context.load.users(page, undefined),
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
