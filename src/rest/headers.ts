import type { Request } from 'express';
import { Invalid } from '../errors.ts';
import type { RequestOptions } from '../scope.ts';
import { type Fixed, fixed } from './fixed-headers.ts';
import { languageOf } from './language.ts';

/** What the headers of §9 say that shapes the answer; the same shape is compiled once. */
export interface Shape {
  /** How many levels of nested entities are shaped. */
  readonly depth: number;
  /** Names by entity type: `{document: ['acls']}`. */
  readonly enrichers: Names;
  readonly fetch: Names;
  readonly translate: Names;
  /** Schemas whose properties are wanted; all when absent. */
  readonly properties: readonly string[] | undefined;
}

export type Names = Readonly<Record<string, readonly string[]>>;

/** Everything that the headers of §9 say. */
export interface Headers {
  readonly shape: Shape;
  readonly options: Omit<RequestOptions, 'baseUrl' | 'address' | 'repository'> & {
    readonly repository: string | undefined;
  };
  /** Whether a call other than GET answers nothing. */
  readonly isVoid: boolean;
  /** `Idempotency-Key` */
  readonly key: string | undefined;
  /** The headers, as the caller spelled them, that shaped the answer: what `Vary` names. */
  readonly shapedBy: readonly string[];
}

/** The names that somebody contributed; others are ignored, or refused under `Prefer: handling=strict`. */
export interface Contributed {
  readonly properties: ReadonlySet<string>;
  /** By entity type in lower case. */
  readonly enrichers: Readonly<Record<string, ReadonlySet<string>>>;
  readonly fetch: Readonly<Record<string, ReadonlySet<string>>>;
  readonly translate: Readonly<Record<string, ReadonlySet<string>>>;
}

/** §9: the open lists: `properties` and the families `enrichers.TYPE`, `fetch.TYPE`, `translate.TYPE`. */
const propertiesNames = ['properties', 'x-nxproperties', 'x-nxdocumentproperties'];
const family = /^(?:x-nx)?(enrichers|fetch|translate)-(.+)$/;
/** Those of the families that anything is contributed to, as the contract spells them. */
export const openLists = [
  ...['enrichers.document', 'enrichers.user', 'fetch.acls', 'fetch.aggregate', 'fetch.document'],
  ...['fetch.group', 'fetch.directoryEntry', 'fetch.schema', 'fetch.task', 'fetch.workflow'],
  ...['translate.directoryEntry'],
];
const legacyEnrichers = 'x-nxcontext-category';

/** One spelling for all: lower case, with `-` for the `.` and `_` that some proxies drop. */
const spelled = (name: string): string => name.toLowerCase().replace(/[._]/g, '-');

type Given = ReadonlyMap<string, string>;

/** All of a request's headers, or all parameters of its query, by common spelling; repeated ones are joined. */
function collect(entries: Iterable<[string, unknown]>): Given {
  const given = new Map<string, string>();
  for (const [name, value] of entries) {
    const text = Array.isArray(value) ? value.join(',') : value;
    if (typeof text !== 'string') continue;
    const before = given.get(spelled(name));
    given.set(spelled(name), before === undefined ? text : `${before},${text}`);
  }
  return given;
}

function readFixed(places: readonly Given[]): Fixed {
  const values: Record<string, unknown> = {};
  for (const [key, { name, others, read }] of Object.entries(fixed)) {
    const spellings: string[] = [spelled(name), ...others];
    for (const place of places) {
      const spelling = spellings.find((candidate) => place.has(candidate));
      if (spelling === undefined) continue;
      values[key] = read(place.get(spelling) ?? '', spelling === spelled(name) ? name : spelling);
      break; // a header stands before a parameter of the query, whichever its spelling
    }
  }
  return values as Fixed;
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** The names of a list that count, in one order, so that the same wish is the same shape. */
function known(
  header: string,
  names: readonly string[],
  contributed: ReadonlySet<string>,
  isStrict: boolean,
): string[] {
  const unknown = names.filter((name) => !contributed.has(name));
  if (isStrict && unknown.length > 0)
    throw new Invalid(`${header}: nobody contributed ${unknown.join(', ')}`);
  return [...new Set(names)].filter((name) => contributed.has(name)).sort();
}

type Families = Record<'enrichers' | 'fetch' | 'translate', Record<string, readonly string[]>>;

function readFamilies(places: readonly Given[], contributed: Contributed, isStrict: boolean): Families {
  const lists: Record<string, string[]> = {};
  for (const place of places) {
    const inPlace: typeof lists = {};
    for (const [name, text] of place) {
      const [, kind, type] =
        name === legacyEnrichers ? ['', 'enrichers', 'document'] : (family.exec(name) ?? []);
      if (kind && type) inPlace[`${kind}.${type}`] = [...(inPlace[`${kind}.${type}`] ?? []), ...split(text)];
    }
    for (const [header, names] of Object.entries(inPlace)) lists[header] ??= names;
  }
  const families: Families = { enrichers: {}, fetch: {}, translate: {} };
  for (const [header, names] of Object.entries(lists).sort()) {
    const [kind, type] = header.split('.', 2) as [keyof Families, string];
    const contributors = contributed[kind];
    const there = Object.hasOwn(contributors, type) ? contributors[type] : undefined;
    const counting = known(header, names, there ?? new Set(), isStrict);
    if (counting.length > 0) families[kind][type] = counting;
  }
  return families;
}

function readProperties(
  places: readonly Given[],
  contributed: Contributed,
  isStrict: boolean,
): string[] | undefined {
  for (const place of places) {
    const texts = propertiesNames.map((name) => place.get(name)).filter((text) => text !== undefined);
    if (texts.length === 0) continue;
    const names = texts.flatMap(split);
    const counting = known('properties', names, contributed.properties, isStrict);
    return counting.includes('*') ? ['*'] : counting;
  }
  return undefined;
}

const shaping = new Set([
  ...[fixed.depth, fixed.repository].flatMap(({ name, others }) => [spelled(name), ...others]),
  ...propertiesNames,
  legacyEnrichers,
]);

/** Whether a header shapes answers. */
const isShaping = (name: string): boolean => shaping.has(spelled(name)) || family.test(spelled(name));

/** RFC 7240: whether unknown names are to be refused instead of ignored. */
const strict = /(^|,)\s*handling\s*=\s*"?strict"?\s*(;|,|$)/i;

/**
 * Reads §9 from a request: each name as a header or, if it is in none, as a parameter of the query.
 * @throws Invalid naming the header and its valid values.
 */
export function parseHeaders(request: Request, contributed: Contributed): Headers {
  const places = [collect(Object.entries(request.headers)), collect(Object.entries(request.query))];
  const isStrict = strict.test(places[0]?.get('prefer') ?? '');
  const { depth = 1, isVoid = false, ...options } = readFixed(places);
  const families = readFamilies(places, contributed, isStrict);
  return {
    shape: { depth, ...families, properties: readProperties(places, contributed, isStrict) },
    options: {
      repository: options.repository,
      versioning: options.versioning ?? 'NONE',
      source: options.source,
      comment: options.comment,
      searchSync: options.searchSync ?? false,
      skipAggregates: options.skipAggregates ?? false,
      timeout: options.timeout,
      keepsUploads: options.keepsUploads ?? false,
      language: languageOf(request),
    },
    isVoid,
    key: options.key,
    shapedBy: [
      ...Object.keys(request.headers).filter(isShaping),
      ...(Object.keys(families.translate).length > 0 ? ['Accept-Language'] : []),
    ],
  };
}
