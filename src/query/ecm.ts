import { typesWithFacet } from '../model/facets-of.ts';
import { isUuid } from '../model/names.ts';
import { normalizeLabel } from '../model/tags.ts';
import { withoutTrailing } from '../model/trailing.ts';
import { fieldOf } from '../model/values/stored.ts';
import { anyAceOperand, elementOperand } from './elements/operands.ts';
import { fullTextProperty, type Term, withoutExcluded, wordsSql } from './full-text.ts';
import { folderOfPattern } from './indexes/patterns.ts';
import { type Compilation, type Operand, propertyOperand, someValueSql } from './operand.ts';
import { QueryFault } from './query-fault.ts';
import type { ValueKind } from './value-kind.ts';

type EcmOperand = Operand & {
  readonly normalize?: (text: string) => string;
  /** Of a path: the condition that a document is below it. */
  readonly below?: (path: string, compilation: Compilation) => string;
  /** Of what another table has an index of: the condition that it is one of some texts. */
  readonly isAny?: (texts: readonly string[], compilation: Compilation) => string;
};

/** A property that supports `=` and `IN` only, with SQL of its own. */
interface EqualityOperand {
  readonly equals: (texts: readonly string[], compilation: Compilation) => string;
}

const column = (kind: ValueKind, value: string, when?: string): EcmOperand => ({
  kind,
  value,
  ...(when && { when }),
});

/** Formats a timestamp like stored dates, which are compared as text. */
const moment = (timestamp: string): EcmOperand =>
  column('date', `to_char(${timestamp} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

// PostgreSQL asks `ids_at_path` while it plans. Searches have no names, so each is planned anew: the plan of
// a named statement would keep the folder that was at the path before.
const hasAncestorAt = (path: string): string => `d.ancestor_ids && ids_at_path($1, ${path})`;

const belowPath = (path: string, { parameters }: Compilation): string => {
  const ancestor = parameters.add(path.length > 1 ? withoutTrailing(path, '/') : path, 'text');
  return `(${hasAncestorAt(ancestor)} AND d.path <> ${ancestor})`;
};

/** What holds for documents whose path matches a pattern: all are below the folder with which it begins. */
export function aroundPattern(pattern: string, { parameters, isNegated }: Compilation): string {
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
  // Facets of the type and of the document; every version and proxy is Immutable.
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

/** Uses the full-text index, which covers all words of a document. */
function withWords(lists: readonly Term[][], { parameters, sought }: Compilation): string {
  const words = wordsSql(lists, parameters);
  sought.add(words);
  return `d.words @@ ${words}`;
}

/** Full text in one property: the full-text index narrows the documents down first, since it is faster. */
const fullTextOf = (property: string, operand: Operand): EqualityOperand => ({
  equals: (texts, compilation) => {
    if (operand.kind !== 'string' && operand.kind !== 'date')
      throw new QueryFault(`${property} has no words: it is no text`);
    const lists = wordsIn(texts, compilation);
    const words = wordsSql(lists, compilation.parameters);
    const found = someValueSql(
      operand,
      (value) => `to_tsvector('search_words', left(folded(${value}), 200000)) @@ ${words}`,
    );
    return `(${withWords(withoutExcluded(lists), compilation)} AND ${found})`;
  },
});

const prefix = 'ecm:';

export const scoreProperty = `${prefix}fulltextScore`;

/** @param property an `ecm:` name, or an xpath of the content model. @throws Invalid on an unknown name. */
export function operandOf(property: string, compilation: Compilation): EcmOperand | EqualityOperand {
  const ofElement = elementOperand(property, compilation) ?? anyAceOperand(property, compilation);
  if (ofElement) return ofElement;
  if (!property.startsWith(prefix)) return propertyOperand(property, compilation);
  if (property === scoreProperty) throw new QueryFault(`${property} is a sort key or a column only`);
  const name = property.slice(prefix.length).replace(/\/\*$/, '');
  const searched = fullTextProperty(prefix + name);
  if (searched !== undefined) return fullTextOf(searched, propertyOperand(searched, compilation));
  return fieldOf(operands, name) ?? propertyOperand(property, compilation);
}

/** Whether queries may name `ecm:NAME`. */
export const isEcmName = (name: string): boolean => Object.hasOwn(operands, name);

export const isEqualityOperand = (operand: EcmOperand | EqualityOperand): operand is EqualityOperand =>
  'equals' in operand;
