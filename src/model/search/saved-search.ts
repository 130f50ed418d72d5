import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import { unknownName } from '../../near-names.ts';
import type { Model } from '../model.ts';
import { JsonBudget, parseJsonOrNothing } from '../values/json-budget.ts';
import { isJsonList, splitAtCommas } from '../values/list-text.ts';
import { isFields, type StoredProperties } from '../values/stored.ts';
import { otherProviders } from './other-providers.ts';

const savedSearchType = 'SavedSearch';

/** Whether documents of a type are saved searches: it is that type, or inherits from it. */
export function isSavedSearchType({ types }: Pick<Model, 'types'>, name: string): boolean {
  const type = types.get(name);
  return (
    name === savedSearchType || (type?.parent !== undefined && isSavedSearchType({ types }, type.parent))
  );
}

type Text = string | null | undefined;
type Whole = number | null | undefined;

/** What is to be saved: the search that a page provider or a query makes of parameters. */
export interface NewSavedSearch {
  readonly title?: Text;
  readonly queryParams?: readonly string[] | null | undefined;
  readonly query?: Text;
  readonly queryLanguage?: Text;
  readonly pageProviderName?: Text;
  readonly pageSize?: Whole;
  readonly currentPageIndex?: Whole;
  readonly maxResults?: Whole;
  readonly sortBy?: Text;
  readonly sortOrder?: Text;
  readonly contentViewData?: Text;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** @throws Invalid without a title, and unless it has either a query or a page provider. */
function requireComplete({ title, query, queryLanguage, pageProviderName }: NewSavedSearch): void {
  if (!title?.trim()) throw new Invalid('title cannot be empty');
  if ((query || queryLanguage) && pageProviderName)
    throw new Invalid('query and page provider parameters are mutually exclusive query parameters');
  if (!pageProviderName && !(query && queryLanguage)) {
    const missing = query ? 'queryLanguage' : queryLanguage ? 'query' : 'pageProviderName';
    throw new Invalid(`query or page provider parameters are missing: ${missing}`);
  }
}

const isPerhapsJson = (text: string): boolean => /^\s*(?:["[{\d-]|true|false|null)/.test(text);

/** JSON that is stored, or undefined for other text. */
const parsed = (text: string): unknown => {
  if (!isPerhapsJson(text)) return undefined; // an error of the parser takes microseconds
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A text stands for itself unless it could be taken for JSON; all other values are stored as JSON. */
const parameterText = (value: unknown, budget: JsonBudget): string =>
  typeof value === 'string' &&
  !(isPerhapsJson(value) && parseJsonOrNothing(value, 'params: the text', budget) !== undefined)
    ? value
    : JSON.stringify(value);

/** What is stored: values with commas between them, or the JSON of a list. */
const readQueryParams = (text: string): string[] => {
  const list = isJsonList(text) ? parsed(text) : undefined;
  if (list !== undefined) return [list].flat().map(String);
  return text === '' ? [] : text.split(',');
};

function queryParamsText(texts: readonly string[]): string {
  const plain = texts.join(',');
  return isDeepStrictEqual(readQueryParams(plain), texts) ? plain : JSON.stringify(texts);
}

/**
 * A text that an answer may have stands for its values, any other one for itself.
 * @throws TooLarge for a text with more items than JSON may have values
 */
export function givenQueryParams(text: string): string[] {
  new JsonBudget().spendItems(text, ',', 'queryParams');
  const texts = readQueryParams(text);
  return queryParamsText(texts) === text ? texts : [text];
}

/**
 * The type and the properties of its document.
 * @throws Invalid naming the fault; TooLarge for parameters whose texts hold more JSON values than a body may
 */
export function savedSearchDocument(
  { pageProviders }: Pick<Model, 'pageProviders'>,
  search: NewSavedSearch,
): { readonly title: string; readonly type: string; readonly properties: StoredProperties } {
  requireComplete(search);
  const { title, params = {}, queryParams, pageProviderName, queryLanguage } = search;
  const provider = pageProviderName ? pageProviders.get(pageProviderName) : undefined;
  if (pageProviderName && !provider) {
    const finds = otherProviders.get(pageProviderName)?.finds;
    const name = pageProviderName.slice(0, 80);
    const fault = finds
      ? `${name} finds ${finds}, no documents`
      : unknownName('page provider', pageProviderName, pageProviders.keys());
    throw new Invalid(`pageProviderName: ${fault}`);
  }
  if (queryLanguage && queryLanguage.toUpperCase() !== 'NXQL')
    throw new Invalid(`queryLanguage: "${queryLanguage.slice(0, 80)}" is not served, only NXQL is`);
  const budget = new JsonBudget();
  return {
    title: title ?? '',
    type: provider?.modelType ?? savedSearchType,
    properties: {
      'dc:title': title ?? '',
      'saved:providerName': pageProviderName || null,
      'saved:query': search.query || null,
      'saved:queryLanguage': queryLanguage || null,
      'saved:queryParams': queryParams?.length ? queryParamsText(queryParams) : null,
      'saved:namedParameters': Object.entries(params).map(([key, value]) => ({
        key,
        value: parameterText(value, budget),
      })),
      'saved:pageSize': search.pageSize ?? null,
      'saved:currentPageIndex': search.currentPageIndex ?? null,
      'saved:maxResults': search.maxResults ?? null,
      'saved:sortBy': search.sortBy || null,
      'saved:sortOrder': search.sortOrder || null,
      'saved:contentViewData': search.contentViewData || null,
    },
  };
}

export function savedParameters(properties: StoredProperties): Record<string, unknown> {
  const rows = [properties['saved:namedParameters'] ?? []].flat();
  return Object.fromEntries(
    rows.filter(isFields).map(({ key, value }) => {
      const text = typeof value === 'string' ? value : '';
      return [String(key), parsed(text) ?? (text === 'null' ? null : text)];
    }),
  );
}

export const savedText = (properties: StoredProperties, name: string): string | null => {
  const value = properties[`saved:${name}`];
  return value === undefined || value === null ? null : String(value);
};

export const savedNumber = (properties: StoredProperties, name: string): number | undefined => {
  const text = savedText(properties, name);
  return text === null ? undefined : Number(text);
};

export const savedQueryParams = (properties: StoredProperties): string[] =>
  readQueryParams(savedText(properties, 'queryParams') ?? '');

export const savedSort = (properties: StoredProperties, name: 'sortBy' | 'sortOrder'): string[] =>
  splitAtCommas(savedText(properties, name) ?? '');
