import { isDeepStrictEqual } from 'node:util';
import type { PictureFacts } from '../../converters/converter.ts';
import { pictureViewConverters } from '../../converters/picture-views.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { asBlob, isFields, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { factsOfPicture } from './fill-pictures.ts';

const madeQuery = statement('views-made-of-picture')`
  SELECT digest, facts FROM rendition WHERE source_digest = $1 AND converter = ANY($2::text[]) AND digest IS NOT NULL`;

interface Made {
  readonly digest: string;
  readonly facts: PictureFacts | null;
}

const converters = pictureViewConverters.map(({ name }) => name);

const digestIn = (view: StoredValue): string | undefined =>
  isFields(view) ? asBlob(view.content)?.digest : undefined;

/** Whether all views are such as the server made. */
const areMade = (views: StoredValue | undefined, made: readonly Made[]): boolean =>
  Array.isArray(views) && views.every((view) => made.some(({ digest }) => digest === digestIn(view)));

/** The properties that the server has filled in for a picture, and that are still as it did. */
async function filledIn(
  db: Pick<Client, 'query'>,
  digest: string,
  properties: StoredProperties,
): Promise<string[]> {
  const made = await db.query<Made>(madeQuery, [digest, converters]);
  const facts = made.find((each) => each.facts !== null)?.facts;
  const filled = Object.entries(facts ? factsOfPicture(facts) : {})
    .filter(([xpath, value]) => isDeepStrictEqual(properties[xpath], value))
    .map(([xpath]) => xpath);
  return areMade(properties['picture:views'], made) ? [...filled, 'picture:views'] : filled;
}

const digestOf = ({ properties }: DocumentRow): string | undefined =>
  asBlob(properties['file:content'])?.digest;

/**
 * A changed document without what the server had filled in for a picture that it no longer has. What the
 * same change has set is the caller's, and stays.
 */
export async function withoutFormerPicture(
  db: Pick<Client, 'query'>,
  { before, after }: { readonly before: DocumentRow; readonly after: DocumentRow },
): Promise<DocumentRow> {
  const former = digestOf(before);
  const hasFacts = 'picture:info' in before.properties || 'picture:views' in before.properties;
  if (former === undefined || former === digestOf(after) || !hasFacts) return after;
  const filled = (await filledIn(db, former, before.properties)).filter((xpath) =>
    isDeepStrictEqual(after.properties[xpath], before.properties[xpath]),
  );
  const kept = Object.entries(after.properties).filter(([xpath]) => !filled.includes(xpath));
  return { ...after, properties: Object.fromEntries(kept) };
}
