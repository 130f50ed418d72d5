import { statement } from '../../db/statement.ts';
import type { ModelChange } from '../../model/contributed/compare-models.ts';
import type { Model, Schema } from '../../model/model.ts';
import type { Scope } from '../../scope.ts';

/** The number of documents above which the documents of each type are estimated from a sample of this size. */
const sampleSize = 100_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

// The documents of a type that differ in their facets are counted separately, because facets add schemas.
const countUses = statement('model-use', {
  type: 'text',
  facets: 'text[]',
  count: 'float8',
  factor: 'float8',
})`
  SELECT type, facets, count(*)::float8 AS count, greatest(1, ${documents} / ${sampleSize})::float8 AS factor
  FROM search_document TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampleSize} / greatest(1, ${documents}))) REPEATABLE (0)
  WHERE repository = $1 AND NOT is_version
  GROUP BY type, facets`;

/** The number of documents that use a type, a facet or a schema. */
export interface ModelUse {
  readonly kind: 'type' | 'facet' | 'schema';
  readonly name: string;
  readonly documents: number;
}

export interface ModelUses {
  readonly isEstimate: boolean;
  readonly uses: readonly ModelUse[];
}

/**
 * Counts the documents of each type, facet and schema without versions. Among more than 100,000 documents, it counts a
 * sample and estimates the others.
 */
export async function modelUses({ db, options, services: { model } }: Scope): Promise<ModelUses> {
  const rows = await db.query(countUses, [options.repository]);
  const counts = new Map<string, ModelUse>();
  const add = (kind: ModelUse['kind'], names: Iterable<string>, count: number) => {
    for (const name of new Set(names)) {
      const key = `${kind} ${name}`;
      counts.set(key, { kind, name, documents: (counts.get(key)?.documents ?? 0) + count });
    }
  };
  for (const { type, facets, count, factor } of rows) {
    const documentCount = Math.round(count * factor);
    add('type', [type], documentCount);
    add('facet', [...facets, ...(model.types.get(type)?.facets ?? [])], documentCount);
    const schemas = model.schemasOf(type, facets).map(({ name }) => name);
    add('schema', schemas, documentCount);
  }
  return { isEstimate: rows.some(({ factor }) => factor > 1), uses: [...counts.values()] };
}

/** The maximum number of documents that are read to find out what a changed model would mean for them. */
const maxRead = 200_000;

/** A change of the model concerns the documents that have one of these types or facets, or a value. */
interface Concern {
  readonly types: readonly string[];
  readonly facets: readonly string[];
  /** The xpaths of top-level properties. */
  readonly xpaths: readonly string[];
}

// `search_document` has indexes by type and by facet. The properties are read from `document`.
const countConcerned = statement('model-concern', { key: 'int4?', count: 'int4?', read: 'int4' })`
  WITH looked AS MATERIALIZED (
    SELECT id FROM search_document
    WHERE repository = $1 AND (type = ANY($2::text[]) OR facets && $3::text[]) LIMIT ${maxRead}
  ), counted AS (
    SELECT c.key, count(*)::int4 AS count
    FROM looked s JOIN document d ON d.repository = $1 AND d.id = s.id
    JOIN jsonb_to_recordset($4::jsonb) AS c (key int4, types text[], facets text[], xpaths text[])
      ON d.type = ANY(c.types) OR d.facets && c.facets OR d.properties ?| c.xpaths
    GROUP BY c.key
  )
  SELECT key, count, read FROM (SELECT count(*)::int4 AS read FROM looked) r LEFT JOIN counted ON true`;

const xpathsOf = ({ properties }: Schema): string[] => [...properties.values()].map(({ xpath }) => xpath);

/** Returns what the documents that a change concerns have; undefined if it concerns no documents. */
function concernOf(
  { types, facets, schemas }: Model,
  { kind, name, change }: ModelChange,
): Concern | undefined {
  if (change === 'added') return undefined;
  const nothing = { types: [], facets: [], xpaths: [] };
  if (kind === 'type') return { ...nothing, types: [name] };
  if (kind === 'field') return { ...nothing, xpaths: [name] };
  const schema = kind === 'schema' && schemas.get(name);
  if (schema) return { ...nothing, xpaths: xpathsOf(schema) };
  const withFacet = [...types.values()].filter((type) => type.facets.includes(name)).map((type) => type.name);
  return facets.has(name) ? { ...nothing, types: withFacet, facets: [name] } : undefined;
}

/** The types and facets of all documents that can have what the concerns name. */
function placesOf({ types, facets }: Model, concerns: readonly Concern[]): Pick<Concern, 'types' | 'facets'> {
  const xpaths = new Set(concerns.flatMap((concern) => concern.xpaths));
  const has = ({ schemas }: { readonly schemas: readonly Schema[] }) =>
    schemas.some((schema) => xpathsOf(schema).some((xpath) => xpaths.has(xpath)));
  return {
    types: [
      ...concerns.flatMap((concern) => concern.types),
      ...[...types.values()].filter(has).map(({ name }) => name),
    ],
    facets: [
      ...concerns.flatMap((concern) => concern.facets),
      ...[...facets.values()].filter(has).map(({ name }) => name),
    ],
  };
}

/** How many documents a change concerns. */
export interface ConcernedDocuments {
  readonly documents: number;
  /** Whether there can be more, because not all documents were read. */
  readonly isMinimum: boolean;
}

/**
 * Counts the documents that each change of the model concerns, versions included: those of a type or with a facet, and
 * those with a value of a field. It reads at most 200,000 documents.
 */
export async function concernedDocuments(
  { db, options, services: { model } }: Scope,
  changes: readonly ModelChange[],
): Promise<ReadonlyMap<ModelChange, ConcernedDocuments>> {
  const concerns = changes.map((change) => concernOf(model, change));
  const found = concerns.flatMap((concern, key) => (concern ? [{ key, ...concern }] : []));
  if (found.length === 0) return new Map();
  const { types, facets } = placesOf(model, found);
  const rows = await db.query(countConcerned, [options.repository, types, facets, JSON.stringify(found)]);
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  const isMinimum = rows.some(({ read }) => read >= maxRead);
  return new Map(
    changes.flatMap(
      (change, key): Array<[ModelChange, ConcernedDocuments]> =>
        concerns[key] ? [[change, { documents: counts.get(key) ?? 0, isMinimum }]] : [],
    ),
  );
}
