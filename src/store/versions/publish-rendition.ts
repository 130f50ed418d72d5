import { isDeepStrictEqual } from 'node:util';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { withRelations } from '../../model/facets-of.ts';
import { tagsProperty } from '../../model/tags.ts';
import type { StoredBlob, StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { replaceBlobs } from '../documents/write-document.ts';
import { publish } from './publish.ts';

/** A rendition of a document as it was read. */
export interface MadeRendition {
  readonly name: string;
  readonly source: DocumentRow;
  readonly blob: StoredBlob;
}

/** Of documents that have no main file themselves. */
const typeWithFile = 'File';

const facet = 'Rendition';

/** What was filled in for the picture of the source. */
const ofPicture = ['picture:info', 'picture:views'];

/** What the proxy shows: the version with the rendition as its main file. */
function shownBy(
  { services: { model } }: Scope,
  { name, source, blob }: MadeRendition,
  proxy: DocumentRow,
): Pick<DocumentRow, 'type' | 'facets' | 'properties'> {
  const hasFile = (type: string) =>
    model.schemasOf(type, source.facets).some((schema) => schema.name === 'file');
  const type = hasFile(source.type) ? source.type : typeWithFile;
  const facets = withRelations([...source.facets, facet], proxy.facets);
  const xpaths = new Set(
    model
      .schemasOf(type, facets)
      .flatMap(({ properties }) => [...properties.values()].map(({ xpath }) => xpath)),
  );
  const kept = Object.entries(proxy.properties).filter(
    ([xpath]) => xpaths.has(xpath) && !ofPicture.includes(xpath),
  );
  const properties: StoredProperties = {
    ...Object.fromEntries(kept),
    'file:content': blob,
    'rend:renditionName': name,
    ...(proxy.targetId !== null && { 'rend:sourceId': proxy.targetId }),
    ...(proxy.liveId !== null && { 'rend:sourceVersionableId': proxy.liveId }),
    ...(proxy.properties['dc:modified'] !== undefined && {
      'rend:modificationDate': proxy.properties['dc:modified'],
    }),
  };
  return { type, facets, properties };
}

const showQuery = statement('show-rendition', documentRow)`
  UPDATE document d SET type = $3, facets = $4::text[], properties = $5::jsonb
  WHERE d.repository = $1 AND d.id = $2::uuid RETURNING ${documentColumns}`;

/** A document and its version have tags of their own. */
const untagged = ({ [tagsProperty]: _, ...rest }: StoredProperties): StoredProperties => rest;

/**
 * Publishes a rendition of a document in a section: by a proxy of its version that has it as its file.
 * @param override as of `publish`.
 * @throws Conflict when the document has changed since the rendition was made; and what `publish` throws.
 */
export async function publishMadeRendition(
  scope: Scope,
  target: DocumentReference,
  made: MadeRendition,
  override: boolean,
): Promise<DocumentRow> {
  const { source } = made;
  if (source.facets.includes(facet)) throw new Invalid(`${source.path} is a rendition`);
  const [proxy] = await publish(scope, { id: source.id }, [target], override);
  if (!proxy) throw new Error('a document that is published has a proxy');
  if (!isDeepStrictEqual(untagged(proxy.properties), untagged(source.properties)))
    throw new Conflict(`${source.path} was changed while its rendition was made`);
  const { type, facets, properties } = shownBy(scope, made, proxy);
  const values = [proxy.repository, proxy.id, type, facets, JSON.stringify(properties)];
  const [shown] = await scope.db.query(showQuery, values);
  if (!shown) throw new Error(`there is no proxy ${proxy.id}`);
  await replaceBlobs(scope, { before: proxy, after: shown });
  return shown;
}
