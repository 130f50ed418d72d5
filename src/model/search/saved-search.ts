import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import { unknownName } from '../../near-names.ts';
import type { Model } from '../model.ts';
import { JsonBudget, parseJsonOrNothing } from '../values/json-budget.ts';
import { isJsonList, splitAtCommas } from '../values/list-text.ts';
import { isFields, type StoredProperties } from '../values/stored.ts';
import { otherProviders } from './other-providers.ts';

const savedSearchType = 'SavedSearch';

/** Returns whether documents of a type are saved searches: the type must be SavedSearch or inherit from it. */
export function isSavedSearchType({ types }: Pick<Model, 'types'>, name: string): boolean {
  const type = types.get(name);
  return (
    name === savedSearchType || (type?.parent !== undefined && isSavedSearchType({ types }, type.parent))
  );
}

type Text = string | null | undefined;
type Whole = number | null | undefined;

/** A search to be saved: either the parameters of a page provider, or a query. */
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

/** @throws Invalid unless there is a title, and either a query or a page provider but not both */
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

/** Parses a stored string as JSON. Returns undefined if it is not JSON. */
const parsed = (text: string): unknown => {
  if (!isPerhapsJson(text)) return undefined; // An exception from `JSON.parse` would cost microseconds.
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the stored form of a named parameter. A string is stored unchanged unless it could be mistaken for JSON;
 * all other values are stored as JSON.
 */
const parameterText = (value: unknown, budget: JsonBudget): string =>
  typeof value === 'string' &&
  !(isPerhapsJson(value) && parseJsonOrNothing(value, 'params: the text', budget) !== undefined)
    ? value
    : JSON.stringify(value);

/** Reads stored positional parameters, which are either comma-separated or a JSON list. */
const readQueryParams = (text: string): string[] => {
  const list = isJsonList(text) ? parsed(text) : undefined;
  if (list !== undefined) return [list].flat().map(String);
  return text === '' ? [] : text.split(',');
};

/**
 * Returns the stored form of positional parameters: comma-separated if `readQueryParams` reads the same parameters from
 * that, and otherwise a JSON list.
 */
function queryParamsText(texts: readonly string[]): string {
  const plain = texts.join(',');
  return isDeepStrictEqual(readQueryParams(plain), texts) ? plain : JSON.stringify(texts);
}

/**
 * Splits the positional parameters that a client sends as one string. The string is treated as a list only if the
 * server would format that list in exactly the same way. Any other string is a single parameter.
 * @throws TooLarge if the string has more items than the limit on JSON values allows
 */
export function parseQueryParams(text: string): string[] {
  new JsonBudget().spendItems(text, ',', 'queryParams');
  const texts = readQueryParams(text);
  return queryParamsText(texts) === text ? texts : [text];
}

/**
 * Returns the title, the type and the properties of the document in which a search is stored.
 * @throws Invalid if the search is incomplete, or refers to something that does not exist
 * @throws TooLarge if the parameters contain more JSON values than a request body can have
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
      ? `${name} returns ${finds} rather than documents`
      : unknownName('page provider', pageProviderName, pageProviders.keys());
    throw new Invalid(`pageProviderName: ${fault}`);
  }
  if (queryLanguage && queryLanguage.toUpperCase() !== 'NXQL')
    throw new Invalid(`queryLanguage: "${queryLanguage.slice(0, 80)}" is not supported. Use NXQL.`);
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
