import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../../converters/converter.ts';
import { converters } from '../../converters/index.ts';
import { typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { asBlob, isFields, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { filledKinds } from './filled-kinds.ts';

const madeQuery = statement('made-of-file', { digest: 'text', facts: typed<FileFacts | null>('jsonb?') })`
  SELECT digest, facts FROM rendition WHERE source_digest = $1 AND converter = ANY($2::text[]) AND digest IS NOT NULL`;

const purposes = new Set(filledKinds.flatMap(({ makes }) => makes));
const names = converters.filter(({ makes }) => purposes.has(makes)).map(({ name }) => name);

/** The properties that the server fills in. */
const properties = filledKinds.flatMap(({ properties: own, items = [] }) => [...own, ...[items].flat()]);

const digestIn = (item: StoredValue): string | undefined =>
  isFields(item) ? asBlob(item.content)?.digest : undefined;

/** Whether the server made all items. */
const areMade = (items: StoredValue | undefined, made: ReadonlyArray<RowOf<typeof madeQuery>>): boolean =>
  Array.isArray(items) && items.every((item) => made.some(({ digest }) => digest === digestIn(item)));

/** The properties that the server has filled in for a file and that have not changed since. */
async function filledIn(
  db: Pick<Client, 'query'>,
  digest: string,
  stored: StoredProperties,
): Promise<string[]> {
  const made = await db.query(madeQuery, [digest, names]);
  const facts = made.flatMap((each) => each.facts ?? []);
  return filledKinds.flatMap(({ items, factsOf }) => {
    const filled = Object.entries(Object.assign({}, ...facts.map(factsOf)) as StoredProperties)
      .filter(([xpath, value]) => isDeepStrictEqual(stored[xpath], value))
      .map(([xpath]) => xpath);
    return items !== undefined && areMade(stored[items], made) ? [...filled, items] : filled;
  });
}

const digestOf = ({ properties }: DocumentRow): string | undefined =>
  asBlob(properties['file:content'])?.digest;

/**
 * Removes the properties that the server had filled in from the former file of a changed document. Values
 * that the same change sets belong to the caller and stay.
 */
export async function withoutFormerFile(
  db: Pick<Client, 'query'>,
  { before, after }: { readonly before: DocumentRow; readonly after: DocumentRow },
): Promise<DocumentRow> {
  const former = digestOf(before);
  const hasFacts = properties.some((xpath) => xpath in before.properties);
  if (former === undefined || former === digestOf(after) || !hasFacts) return after;
  const filled = (await filledIn(db, former, before.properties)).filter((xpath) =>
    isDeepStrictEqual(after.properties[xpath], before.properties[xpath]),
  );
  const remaining = Object.entries(after.properties).filter(([xpath]) => !filled.includes(xpath));
  return { ...after, properties: Object.fromEntries(remaining) };
}
