import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { sourceOf } from '../../loaders/directories/index.ts';
import { tableSource } from '../../loaders/directories/table.ts';
import type { Model, Property } from '../../model/model.ts';
import type { Check, CheckFault, CheckNote } from './check.ts';
import { checkDocuments, lastOfSlice, ofSlice, slice, sliceRow } from './document-slices.ts';

const maxDetails = 100;

/** The maximum number of characters of a value that are shown in a message. */
const shownCharacters = 100;

/** A location within the properties of documents whose values refer to entries of a directory. */
interface Place {
  readonly xpath: string;
  /** A path in the SQL/JSON path language, which also matches the items of lists. */
  readonly jsonPath: string;
  readonly directory: string;
  /** The separator between the entries of a hierarchical value. Only its last entry is looked up (§10.1). */
  readonly separator: string | null;
}

/** Returns the locations in a property and in its fields. */
function placesIn(property: Property, name: string, above = '$'): Place[] {
  const { xpath, refersTo, fields, many } = property;
  const jsonPath = `${above}.${JSON.stringify(name)}${many ? '[*]' : ''}`;
  const inner = [...fields].flatMap(([field, each]) => placesIn(each, field, jsonPath));
  if (refersTo?.to !== 'directory' || sourceOf(refersTo.directory) !== tableSource) return inner;
  const { directory, separator = null } = refersTo;
  return [...inner, { xpath, jsonPath, directory, separator }];
}

/**
 * Returns the locations in all document types and facets. Values that refer to a directory with a dedicated table are
 * omitted.
 */
function placesOf({ types, facets }: Model): Place[] {
  const schemas = new Set([...types.values(), ...facets.values()].flatMap((each) => each.schemas));
  return [...schemas].flatMap(({ properties }) =>
    [...properties.values()].flatMap((property) => placesIn(property, property.xpath)),
  );
}

/** A group of equal values at one location, in documents of a slice. */
interface Group extends Pick<Place, 'xpath' | 'directory'> {
  /** A hash of the xpath and the entry. A hash is used because the id of an entry can be long. */
  readonly key: string;
  readonly entry: string;
  readonly count: number;
  /** One of the documents that have the value. */
  readonly document: readonly [path: string, repository: string, id: string];
}

// Finds values in a slice that refer to missing entries, and groups equal ones. Groups already listed by earlier slices
// ($7) come first, so that their counts are complete, although each slice lists only 100 groups. OFFSET 0 makes
// PostgreSQL decompress the properties of a document only once, rather than once for each location.
const findQuery = statement('check-values', {
  ...sliceRow,
  values: 'int4',
  documents: 'int4',
  groups: typed<readonly Group[]>('jsonb'),
})`
  WITH ${slice}, place AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS p (xpath, json_path, directory, separator)
  ), gone AS (
    SELECT d.repository, d.id, d.path, p.xpath, p.directory, named.entry
    FROM slice s
    JOIN document d ON d.repository = s.repository AND d.id = s.id
    CROSS JOIN LATERAL (SELECT d.properties - '{}'::text[] AS properties OFFSET 0) whole
    CROSS JOIN place p
    CROSS JOIN LATERAL jsonb_path_query(whole.properties, p.json_path::jsonpath) AS item (value)
    CROSS JOIN LATERAL (
      SELECT CASE WHEN p.separator IS NULL THEN item.value #>> '{}'
        ELSE split_part(item.value #>> '{}', p.separator, -1) END AS entry
    ) named
    WHERE jsonb_typeof(item.value) = 'string' AND NOT EXISTS (
      SELECT FROM directory_entry e WHERE e.directory = p.directory AND e.id = named.entry)
  ), grouped AS (
    SELECT md5(g.xpath || ' ' || g.entry) AS key, g.xpath, g.directory,
      left(g.entry, ${shownCharacters}) AS entry, count(*)::int AS count,
      min(ARRAY[g.path, g.repository, g.id::text]) AS document
    FROM gone g GROUP BY g.xpath, g.directory, g.entry
  )
  SELECT ${ofSlice},
    (SELECT count(*)::int FROM gone) AS "values",
    (SELECT count(DISTINCT (repository, id))::int FROM gone) AS documents,
    (SELECT coalesce(jsonb_agg(to_jsonb(listed)), '[]') FROM (
      SELECT * FROM grouped ORDER BY key = ANY($7::text[]) DESC, xpath, entry, key LIMIT ${maxDetails}
    ) listed) AS groups
  FROM ${lastOfSlice}`;

function detailOf({ xpath, directory, entry, count, document }: Group): CheckFault {
  const [path, repository, id] = document;
  const shown = entry.length < shownCharacters ? entry : `${entry}…`;
  const times = count === 1 ? `in ${path}` : `${count} times, for example in ${path}`;
  const message = `${directory} has no entry "${shown}", but ${xpath} refers to it ${times}`;
  return { kind: 'entry', repository, id, path, message };
}

/**
 * Lists values whose vocabulary entry was deleted (§8). Such values remain valid for the documents that have them, and
 * do not count as faults.
 */
export const vocabularyValuesCheck: Check = {
  name: 'values',
  run: async (context): Promise<CheckNote> => {
    const places = placesOf(context.model);
    const columns = (['xpath', 'jsonPath', 'directory', 'separator'] as const).map((name) =>
      places.map((place) => place[name]),
    );
    const named = new Map<string, Group>();
    const counts = { values: 0, documents: 0 };
    await checkDocuments(context, {
      find: async (db, { repository, id }) => {
        const [row] = await db.query(findQuery, [repository, id, ...columns, [...named.keys()]]);
        if (!row) return undefined;
        counts.values += row.values;
        counts.documents += row.documents;
        for (const group of row.groups) {
          const before = named.get(group.key);
          if (before) named.set(group.key, { ...before, count: before.count + group.count });
          else if (named.size < maxDetails) named.set(group.key, group);
        }
        return { ...row, faults: [] };
      },
    });
    return {
      text: `${counts.values} values in ${counts.documents} documents refer to entries that no longer exist. The documents remain valid.`,
      counts,
      details: [...named.values()].map(detailOf),
    };
  },
};
