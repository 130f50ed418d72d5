import { isDeepStrictEqual } from 'node:util';
import type { FileFacts } from '../../converters/converter.ts';
import { converters } from '../../converters/index.ts';
import type { Client } from '../../db/database.ts';
import type { Rendition } from '../../generated/prisma/client.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { asBlob, isFields, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { filledKinds } from './filled-kinds.ts';

const purposes = new Set(filledKinds.flatMap(({ makes }) => makes));
const names = converters.filter(({ makes }) => purposes.has(makes)).map(({ name }) => name);

/** The properties that the server fills in. */
const properties = filledKinds.flatMap(({ properties: own, items = [] }) => [...own, ...[items].flat()]);

const digestIn = (item: StoredValue): string | undefined =>
  isFields(item) ? asBlob(item.content)?.digest : undefined;

/** Whether the server created all items of the list. */
const areMade = (items: StoredValue | undefined, made: ReadonlyArray<Pick<Rendition, 'digest'>>): boolean =>
  Array.isArray(items) && items.every((item) => made.some(({ digest }) => digest === digestIn(item)));

/** The properties that the server has filled in for a file and that have not been changed since. */
async function filledIn(
  { prisma }: Pick<Client, 'prisma'>,
  digest: string,
  stored: StoredProperties,
): Promise<string[]> {
  const where = { sourceDigest: digest, converter: { in: names }, digest: { not: null } };
  const made = await prisma.rendition.findMany({ where, select: { digest: true, facts: true } });
  const facts = made.flatMap((each) => (each.facts as FileFacts | null) ?? []);
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
 * Removes the properties that the server filled in for the former file of a changed document. Values that the same
 * change sets come from the caller and are left unchanged.
 */
export async function withoutFormerFile(
  db: Pick<Client, 'prisma'>,
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
