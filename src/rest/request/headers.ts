import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { Invalid } from '../../errors.ts';
import { defaultOptions, requestLanguage } from '../../http/caller.ts';
import { splitAtCommas } from '../../model/values/list-text.ts';
import type { RequestOptions } from '../../scope.ts';
import { fetchProperties } from '../fetch-properties.ts';
import { type HeaderDefinition, type HeaderValues, headerDefinitions } from './fixed-headers.ts';

/**
 * The values of the headers in §9 that shape a response. Requests with the same shape share one compiled GraphQL
 * operation.
 */
export interface ResponseShape {
  readonly depth: number;
  /** Enricher names by entity type, such as `{document: ['acls']}`. */
  readonly enrichers: NamesByType;
  readonly fetch: NamesByType;
  readonly translate: NamesByType;
  /** The schemas whose properties are included in the response; undefined for all. */
  readonly properties: readonly string[] | undefined;
}

export type NamesByType = Readonly<Record<string, readonly string[]>>;

export interface RequestHeaders {
  readonly shape: ResponseShape;
  readonly options: Omit<RequestOptions, 'links' | 'address' | 'repository'> & {
    readonly repository: string | undefined;
  };
  /** Whether a successful call other than GET returns 204 and no body. */
  readonly isVoid: boolean;
  readonly idempotencyKey: string | undefined;
  /** The names of the headers that shape the response, as the request spells them; used for `Vary`. */
  readonly varyNames: readonly string[];
}

/**
 * The names that the content model and the server define for headers without a fixed set of valid names. Other names
 * are ignored, or rejected with `Prefer: handling=strict`.
 */
export interface ContributedNames {
  readonly properties: ReadonlySet<string>;
  readonly enrichers: Readonly<Record<string, ReadonlySet<string>>>;
  readonly fetch: Readonly<Record<string, ReadonlySet<string>>>;
  readonly translate: Readonly<Record<string, ReadonlySet<string>>>;
}

/**
 * The headers of §9 without a fixed set of valid names: `properties`, `enrichers.TYPE`, `fetch.TYPE`, `translate.TYPE`.
 */
const propertiesNames = ['properties', 'x-nxproperties', 'x-nxdocumentproperties'];
const family = /^(?:x-nx)?(enrichers|fetch|translate)-(.+)$/;
/**
 * The headers `enrichers.TYPE`, `fetch.TYPE` and `translate.TYPE` for which the server defines names, in their
 * documented spelling.
 */
export const openListHeaders = [
  'enrichers.blob',
  'enrichers.document',
  'enrichers.user',
  ...Object.keys(fetchProperties).map((type) => `fetch.${type}`),
  'translate.directoryEntry',
];
const spellings = new Map(openListHeaders.map((name) => [name.toLowerCase(), name]));
const legacyEnrichers = 'x-nxcontext-category';

/**
 * Converts a header name to lower case, and its dots and underscores to hyphens. Some proxies drop headers whose
 * names contain `.` or `_`, so clients send `-` instead.
 */
const normalized = (name: string): string => name.toLowerCase().replace(/[._]/g, '-');

type Values = ReadonlyMap<string, string>;

const nothing: Values = new Map();

const definitions: Readonly<Record<string, HeaderDefinition>> = headerDefinitions;
const fixedHeaders = Object.entries(definitions).map(([key, { name, aliases = [], read, varies }]) => ({
  key,
  name,
  spellings: [normalized(name), ...aliases],
  read,
  varies,
}));
const varyingHeaders = fixedHeaders.filter(({ varies }) => varies);

export const shapingHeaders = [...varyingHeaders.map(({ name }) => name), 'properties', ...openListHeaders];

function readFixed(sources: readonly Values[]): HeaderValues {
  const values: Record<string, unknown> = {};
  for (const { key, name, spellings, read } of fixedHeaders) {
    for (const source of sources) {
      const spelling = spellings.find((candidate) => source.has(candidate));
      if (spelling === undefined) continue;
      values[key] = read(source.get(spelling) ?? '', spelling === spellings[0] ? name : spelling);
      break; // A header in any spelling takes precedence over a query parameter.
    }
  }
  return values as HeaderValues;
}

/**
 * Returns the known names in a list, sorted and without duplicates, so that equivalent lists result in the same shape.
 */
function contributedOf(
  header: string,
  names: readonly string[],
  contributed: ReadonlySet<string>,
  isStrict: boolean,
): string[] {
  const unknown = names.filter((name) => !contributed.has(name));
  if (isStrict && unknown.length > 0)
    throw new Invalid(`${header}: unknown ${unknown.length > 1 ? 'names' : 'name'} ${unknown.join(', ')}.`);
  return [...new Set(names)].filter((name) => contributed.has(name)).sort();
}

type Families = Record<'enrichers' | 'fetch' | 'translate', Record<string, readonly string[]>>;

function readFamilies(
  sources: readonly Values[],
  contributed: ContributedNames,
  isStrict: boolean,
): Families {
  const lists: Record<string, string[]> = {};
  for (const source of sources) {
    const found: typeof lists = {};
    for (const [name, text] of source) {
      const [, kind, type] =
        name === legacyEnrichers ? ['', 'enrichers', 'document'] : (family.exec(name) ?? []);
      if (kind && type)
        found[`${kind}.${type}`] = [...(found[`${kind}.${type}`] ?? []), ...splitAtCommas(text)];
    }
    for (const [header, names] of Object.entries(found)) lists[header] ??= names;
  }
  const families: Families = { enrichers: {}, fetch: {}, translate: {} };
  for (const [header, names] of Object.entries(lists).sort()) {
    const [kind, type] = header.split('.', 2) as [keyof Families, string];
    const types = contributed[kind];
    const known = (Object.hasOwn(types, type) ? types[type] : undefined) ?? new Set();
    const selected = contributedOf(spellings.get(header) ?? header, names, known, isStrict);
    if (selected.length > 0 || (kind === 'enrichers' && known.size > 0 && names.length > 0))
      families[kind][type] = selected;
  }
  return families;
}

function readProperties(
  sources: readonly Values[],
  contributed: ContributedNames,
  isStrict: boolean,
): string[] | undefined {
  for (const source of sources) {
    const texts = propertiesNames.map((name) => source.get(name)).filter((text) => text !== undefined);
    if (texts.length === 0) continue;
    const names = texts.flatMap(splitAtCommas);
    const selected = contributedOf('properties', names, contributed.properties, isStrict);
    return selected.includes('*') ? ['*'] : selected;
  }
  return undefined;
}

const shaping = new Set([
  ...varyingHeaders.flatMap(({ spellings }) => spellings),
  ...propertiesNames,
  legacyEnrichers,
]);

const isShaping = (name: string): boolean => shaping.has(name) || family.test(name);

const readNames = new Set([
  ...fixedHeaders.flatMap(({ spellings }) => spellings),
  ...propertiesNames,
  legacyEnrichers,
  'accept-language',
  'language',
  'prefer',
]);

/** Returns whether a header or query parameter with the given name affects a request. */
export function isReadHeader(name: string): boolean {
  const normal = normalized(name);
  return readNames.has(normal) || family.test(normal);
}

/**
 * The normalized names by their original spelling. Most clients send the same few headers, so each short name is
 * normalized only once.
 */
const readNamesOf = new LRUCache<string, string>({ max: 1000 });
const maxCachedName = 100; // characters

/**
 * Returns the normalized name of a header or query parameter that this module reads; an empty string for any other
 * name.
 */
function readNameOf(name: string): string {
  const known = readNamesOf.get(name);
  if (known !== undefined) return known;
  const found = isReadHeader(name) ? normalized(name) : '';
  if (name.length <= maxCachedName) readNamesOf.set(name, found);
  return found;
}

/**
 * Returns the headers or query parameters that this module reads, by normalized name. Repeated ones are joined with
 * commas.
 */
function collect(all: Readonly<Record<string, unknown>>): Values {
  let found: Map<string, string> | undefined;
  for (const name in all) {
    const key = readNameOf(name);
    if (key === '') continue;
    const value = all[name];
    const text = Array.isArray(value) ? value.join(',') : value;
    if (typeof text !== 'string') continue;
    found ??= new Map();
    const before = found.get(key);
    found.set(key, before === undefined ? text : `${before},${text}`);
  }
  return found ?? nothing;
}

/** Matches the preference `handling=strict` (RFC 7240), with which unknown names are rejected. */
const strict = /(^|,)\s*handling\s*=\s*"?strict"?\s*(;|,|$)/i;

const explain = /(^|,)\s*explain\s*(;|,|$)/i;

/** Returns whether the client wants the request to be explained instead of executed. */
export const prefersExplain = ({ headers: { prefer } }: Pick<Request, 'headers'>): boolean =>
  prefer !== undefined && explain.test(String(prefer));

/** The maximum number of cached shapes, and the maximum number of characters in the headers of a cached shape. */
const maxCached = { shapes: 500, characters: 2_000 };

const shapesOf = new WeakMap<ContributedNames, LRUCache<string, ResponseShape>>();

/**
 * Reads the shape of a response. Requests with equal values in the headers that shape the response share one object,
 * because most requests have no such header or one of a few combinations.
 * @throws Invalid if a header is invalid
 */
function readShape(
  sources: readonly Values[],
  contributed: ContributedNames,
  { depth, isStrict }: { readonly depth: number; readonly isStrict: boolean },
): ResponseShape {
  const shapes = shapesOf.get(contributed) ?? new LRUCache({ max: maxCached.shapes });
  shapesOf.set(contributed, shapes);
  const shaping = sources.map((source) => [...source].filter(([name]) => isShaping(name)));
  const key = JSON.stringify([depth, isStrict, shaping]);
  const known = shapes.get(key);
  if (known) return known;
  const families = readFamilies(sources, contributed, isStrict);
  const shape = { depth, ...families, properties: readProperties(sources, contributed, isStrict) };
  if (key.length <= maxCached.characters) shapes.set(key, shape);
  return shape;
}

/**
 * Reads the headers of §9. If a header is missing, a query parameter with the same name is used instead.
 * @throws Invalid, which names the header and its valid values
 */
export function parseHeaders(
  request: Pick<Request, 'headers' | 'query'>,
  contributed: ContributedNames,
): RequestHeaders {
  const headers = collect(request.headers);
  const isStrict = strict.test(headers.get('prefer') ?? '');
  const sources = [headers, collect(request.query)].filter(({ size }) => size > 0);
  const { depth = 1, isVoid = false, key, repository, ...options } = readFixed(sources);
  const shape = readShape(sources, contributed, { depth, isStrict });
  return {
    shape,
    options: { ...defaultOptions, ...options, isStrict, repository, language: requestLanguage(request) },
    isVoid,
    idempotencyKey: key,
    varyNames: [
      ...(headers.size > 0 ? Object.keys(request.headers).filter((name) => isShaping(readNameOf(name))) : []),
      ...(Object.keys(shape.translate).length > 0 ? ['Accept-Language'] : []),
    ],
  };
}
