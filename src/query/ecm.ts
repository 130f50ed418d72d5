import { typesWith } from '../model/facets-of.ts';
import { isUuid } from '../model/names.ts';
import { cleanLabel } from '../model/tags.ts';
import { type Compilation, type Kind, type Operand, propertyOperand, some } from './operand.ts';
import { readWords, type Term, withoutExcluded, wordsSql } from './words.ts';

/** What documents have besides the properties of their schemas: an operand as any other. */
type Known = Operand & {
  /** A text as it is kept, when not as it is written. */
  readonly spelled?: (text: string) => string;
  /** Of a path: the condition that a document is somewhere below. */
  readonly below?: (path: string, compilation: Compilation) => string;
};

/** What can only be equal to something, in a way of its own. */
export interface Special {
  readonly equals: (texts: readonly string[], compilation: Compilation) => string;
}

const column = (kind: Kind, value: string, when?: string): Known => ({ kind, value, ...(when && { when }) });

/** A timestamp as dates are stored, so that it is compared as they are. */
const moment = (timestamp: string): Known =>
  column('date', `to_char(${timestamp} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** By the ids of all documents above, for which there is an index. */
const belowPath = (path: string, { parameters }: Compilation): string => {
  const above = parameters.add(path.length > 1 ? path.replace(/\/+$/, '') : path, 'text');
  return `(d.ancestor_ids && ARRAY(
    SELECT p.id FROM document p WHERE p.repository = $1 AND p.path = ${above} AND NOT p.is_version
  ) AND d.path <> ${above})`;
};

/** Retention is not served (§2.1): no document is a record. */
const never = column('boolean', 'false');

/** §4.7: every `ecm:` property that is compared like others. */
const known: Readonly<Record<string, Known>> = {
  uuid: column('id', 'd.id'),
  name: column('string', 'd.name'),
  path: { ...column('string', 'd.path'), below: belowPath },
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
  isRecord: never,
  isFlexibleRecord: never,
  hasLegalHold: never,
  retainUntil: column('date', 'NULL::text'),
  tag: {
    ...{ kind: 'string', value: 't.label', from: 'document_tag t' },
    ...{ when: 't.repository = d.repository AND t.document_id = d.id', spelled: cleanLabel },
  },
};

/** The documents in which words are found, by the index of all words. */
const withWords = (lists: readonly Term[][], { parameters }: Compilation): string => `d.id IN (
  SELECT w.document_id FROM document_words w WHERE w.repository = $1 AND w.words @@ (${wordsSql(lists, parameters)})
)`;

const anyOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `(${conditions.join(' OR ')})` : 'false';

const fullText: Special = {
  equals: (texts, compilation) => anyOf(texts.map((text) => withWords(readWords(text), compilation))),
};

/** In one property: its words are those of the document too, which are found faster. */
const fullTextOf = (operand: Operand): Special => ({
  equals: (texts, compilation) =>
    anyOf(
      texts.map(readWords).map((lists) => {
        const words = wordsSql(lists, compilation.parameters);
        const found = some(
          operand,
          (value) => `to_tsvector('pg_catalog.simple', folded(${value})) @@ (${words})`,
        );
        return `(${withWords(withoutExcluded(lists), compilation)} AND ${found})`;
      }),
    ),
});

const special: Readonly<Record<string, Special>> = {
  ancestorId: {
    equals: (ids, { parameters }) => `d.ancestor_ids && ${parameters.add(ids.filter(isUuid), 'uuid[]')}`,
  },
  // Those of the type, those of the document, and what every version and proxy is.
  mixinType: {
    equals: (facets, { model, parameters }) => {
      const types = [...new Set(facets.flatMap((facet) => typesWith(model, facet)))];
      const own = `d.type = ANY(${parameters.add(types, 'text[]')}) OR d.facets && ${parameters.add(facets, 'text[]')}`;
      return facets.includes('Immutable') ? `(${own} OR d.is_version OR d.is_proxy)` : `(${own})`;
    },
  },
  fulltext: fullText,
};

const prefix = 'ecm:';
const inField = 'fulltext.';

/**
 * What a property of a query stands for: an `ecm:` name, or an xpath of the content model.
 * @throws Invalid on a name that nobody knows.
 */
export function operandOf(property: string, compilation: Compilation): Known | Special {
  if (!property.startsWith(prefix)) return propertyOperand(property, compilation);
  const name = property.slice(prefix.length).replace(/\/\*$/, '');
  if (name.startsWith(inField)) return fullTextOf(propertyOperand(name.slice(inField.length), compilation));
  const found =
    (Object.hasOwn(known, name) && known[name]) || (Object.hasOwn(special, name) && special[name]);
  return found || propertyOperand(property, compilation);
}

export const isSpecial = (operand: Known | Special): operand is Special => 'equals' in operand;
