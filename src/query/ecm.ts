import type { QueryPredicate } from '../extension.ts';
import { extensions } from '../extensions/loaded.ts';
import { typesWithFacet } from '../model/facets-of.ts';
import { isUuid } from '../model/names.ts';
import { normalizeLabel } from '../model/tags.ts';
import { withoutTrailing } from '../model/trailing.ts';
import { fieldOf } from '../model/values/stored.ts';
import type { WordScope } from '../words/query.ts';
import { anyAceOperand, elementOperand } from './elements/operands.ts';
import { fullTextProperty, type Term, wordsSql } from './full-text.ts';
import { folderOfPattern } from './indexes/patterns.ts';
import { type Compilation, type Operand, propertyOperand } from './operand.ts';
import { scoreProperty } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import type { ValueKind } from './value-kind.ts';
import { toSqlValue } from './values.ts';

type EcmOperand = Operand & {
  readonly normalize?: (text: string) => string;
  /** For paths: returns the condition that a document is below the given path. */
  readonly below?: (path: string, compilation: Compilation) => string;
  /**
   * Returns the condition that the value is one of several strings. Defined only for properties that are found faster
   * through an index of another table.
   */
  readonly isAny?: (texts: readonly string[], compilation: Compilation) => string;
};

/** The operand of a property that supports only `=` and `IN`, and provides the SQL for these operators. */
interface EqualityOperand {
  /** The kind of the values; if absent, they are strings. */
  readonly valueKind?: QueryPredicate['type'];
  readonly equals: (texts: readonly string[], compilation: Compilation) => string;
}

const column = (kind: ValueKind, value: string, when?: string): EcmOperand => ({
  kind,
  value,
  ...(when && { when }),
});

/**
 * Returns the operand of a timestamp column. Timestamps are formatted like stored dates, because dates are compared as
 * strings.
 */
const moment = (timestamp: string): EcmOperand =>
  column('date', `to_char(${timestamp} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

// Returns the condition that a document is below a path. `ids_at_path` is declared IMMUTABLE, so that PostgreSQL
// evaluates it while planning and knows how selective the condition is. This is correct only because search statements
// have no name and are therefore planned for each execution. The cached plan of a named statement would contain the id
// of whichever folder was at the path when the statement was planned.
const hasAncestorAt = (path: string): string => `d.ancestor_ids && ids_at_path($1, ${path})`;

const belowPath = (path: string, { parameters }: Compilation): string => {
  const ancestor = parameters.add(path.length > 1 ? withoutTrailing(path, '/') : path, 'text');
  return `(${hasAncestorAt(ancestor)} AND d.path <> ${ancestor})`;
};

/**
 * Returns a condition that is true for all paths that match a pattern: a matching path is below the folder with which
 * the pattern begins.
 */
export function ancestorOfPattern(pattern: string, { parameters, isNegated }: Compilation): string {
  const folder = folderOfPattern(pattern);
  return isNegated || folder === undefined ? 'true' : hasAncestorAt(parameters.add(folder, 'text'));
}

const isAnyPath = (paths: readonly string[], { parameters }: Compilation): string => `d.id = ANY(ARRAY(
    SELECT p.id FROM document p WHERE p.repository = $1 AND p.path = ANY(${parameters.add(paths, 'text[]')})))`;

const operands: Readonly<Record<string, EcmOperand | EqualityOperand>> = {
  uuid: column('id', 'd.id'),
  name: column('string', 'd.name'),
  path: { ...column('string', 'd.path'), below: belowPath, isAny: isAnyPath },
  pos: column('number', 'd.position'),
  parentId: column('id', 'd.parent_id'),
  primaryType: column('string', 'd.type'),
  currentLifeCycleState: column('string', 'd.state'),
  isProxy: column('boolean', 'd.is_proxy'),
  isVersion: column('boolean', 'd.is_version'),
  isCheckedInVersion: column('boolean', 'd.is_version'),
  isCheckedIn: column('boolean', '(NOT d.is_checked_out)'),
  isLatestVersion: column('boolean', 'd.is_latest_version'),
  isLatestMajorVersion: column('boolean', 'd.is_latest_major_version'),
  versionLabel: column('string', `(d.major_version || '.' || d.minor_version)`, 'd.is_version'),
  versionDescription: column('string', 'd.version_comment'),
  versionCreated: moment('d.version_created'),
  versionVersionableId: column('id', 'd.live_id', 'd.is_version'),
  versionableId: column('id', 'd.live_id', 'd.is_version'),
  proxyTargetId: column('id', 'd.target_id'),
  proxyVersionableId: column('id', 'd.live_id', 'd.is_proxy'),
  lockOwner: column('string', 'd.lock_owner'),
  lockCreated: moment('d.lock_created'),
  isTrashed: column('boolean', 'd.is_trashed'),
  isRecord: column('boolean', 'd.is_record'),
  isFlexibleRecord: column('boolean', 'false::boolean'),
  hasLegalHold: column('boolean', 'd.has_legal_hold'),
  retainUntil: moment('d.retain_until'),
  retainedProperties: column('string', 'NULL::text'),
  tag: {
    kind: 'string',
    value: 't.label',
    from: 'document_tag t',
    when: 't.repository = d.repository AND t.document_id = d.id',
    normalize: normalizeLabel,
  },
  blobKeys: {
    ...column('string', 'b.digest', 'b.repository = d.repository AND b.document_id = d.id'),
    from: 'document_blob b',
    normalize: (key) => key.replace(/^.*:/, ''),
  },
  ancestorId: {
    equals: (ids, { parameters }) => `d.ancestor_ids && ${parameters.add(ids.filter(isUuid), 'uuid[]')}`,
  },
  // A document has the facets of its type and the facets that were added to the document. Versions and proxies also
  // have the facet Immutable.
  mixinType: {
    equals: (facets, { model, parameters }) => {
      const types = [...new Set(facets.flatMap((facet) => typesWithFacet(model, facet)))];
      const hasFacet = `d.type = ANY(${parameters.add(types, 'text[]')}) OR d.facets && ${parameters.add(facets, 'text[]')}`;
      return facets.includes('Immutable') ? `(${hasFacet} OR d.is_version OR d.is_proxy)` : `(${hasFacet})`;
    },
  },
  fulltext: {
    equals: (texts, compilation) => withWords(wordsIn(texts, compilation), compilation),
  },
};

const wordsIn = (texts: readonly string[], { fullTexts }: Compilation): readonly Term[][] =>
  [...new Set(texts)].flatMap((text) => fullTexts.read(text));

/** Returns the condition that a document contains certain words. PostgreSQL evaluates it with the full-text index. */
function withWords(lists: readonly Term[][], compilation: Compilation, scope: WordScope = {}): string {
  const words = wordsSql(lists, compilation, scope);
  compilation.wordQueries.set(words, { lists, scope, isNegated: compilation.isNegated });
  return `d.words @@ ${words}`;
}

/**
 * Returns the operand of a full-text search in one property. Words of the title are recognized by their weight, which
 * is the highest in the index.
 */
const fullTextOf = (property: string, operand: Operand): EqualityOperand => ({
  equals: (texts, compilation) => {
    const { kind, words } = operand;
    if (words === undefined || kind !== 'string')
      throw new QueryFault(`${property} cannot be searched for words, because it is not a string`);
    const scope: WordScope = { property: words };
    return withWords(wordsIn(texts, compilation), compilation, scope);
  },
});

const prefix = 'ecm:';

const sqlTypes = { string: 'text', date: 'text', number: 'numeric', boolean: 'boolean' } as const;

type Contributed = [name: string, operand: EcmOperand | EqualityOperand];

let contributed: ReadonlyMap<string, Contributed[1]> | undefined;

/**
 * Returns the operand of a condition that an extension adds to queries. The condition is repeated for each value, so
 * that PostgreSQL can use an index for it.
 */
const predicateOperand = ({ name, type, sql }: QueryPredicate): EqualityOperand => ({
  valueKind: type,
  equals: (values, { parameters, now }) => {
    const conditions = values.map((value) => {
      const parameter = parameters.add(toSqlValue(type, name, value, now), sqlTypes[type]);
      return `(${sql.replaceAll('$value', parameter)})`;
    });
    return `(${conditions.join(' OR ')})`;
  },
});

/** Returns the operand of a value or a condition that an extension adds to queries. */
function contributedOperand(property: string): EcmOperand | EqualityOperand | undefined {
  contributed ??= new Map(
    extensions().flatMap(({ queryProperties = [], queryPredicates = [] }) => [
      ...queryProperties.map(
        ({ name, type, sql }): Contributed => [name, column(type, `(${sql})::${sqlTypes[type]}`)],
      ),
      ...queryPredicates.map((predicate): Contributed => [predicate.name, predicateOperand(predicate)]),
    ]),
  );
  return contributed.get(property);
}

/**
 * Returns the operand of an xpath or of a name that begins with `ecm:`.
 * @throws QueryFault if the name is unknown
 */
export function operandOf(property: string, compilation: Compilation): EcmOperand | EqualityOperand {
  const ofElement = elementOperand(property, compilation) ?? anyAceOperand(property, compilation);
  if (ofElement) return ofElement;
  if (!property.startsWith(prefix))
    return contributedOperand(property) ?? propertyOperand(property, compilation);
  if (property === scoreProperty) throw new QueryFault(`${property} can only be a sort key or a column`);
  const name = property.slice(prefix.length).replace(/\/\*$/, '');
  const searched = fullTextProperty(prefix + name);
  if (searched !== undefined) return fullTextOf(searched, propertyOperand(searched, compilation));
  return fieldOf(operands, name) ?? propertyOperand(property, compilation);
}

/** Returns whether queries can use `ecm:NAME`. */
export const isEcmName = (name: string): boolean => Object.hasOwn(operands, name);

export const isEqualityOperand = (operand: EcmOperand | EqualityOperand): operand is EqualityOperand =>
  'equals' in operand;
