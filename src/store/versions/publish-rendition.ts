import { isDeepStrictEqual } from 'node:util';
import { Conflict, Invalid } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { withRelations } from '../../model/facets-of.ts';
import { tagsProperty } from '../../model/tags.ts';
import type { StoredBlob, StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { replaceBlobs } from '../documents/write-document.ts';
import { publish } from './publish.ts';

/** A rendition that was created from a document in the state `source`. */
export interface MadeRendition {
  readonly name: string;
  readonly source: DocumentRow;
  readonly blob: StoredBlob;
}

/** The type of the proxy if the document's own type does not have a main file. */
const typeWithFile = 'File';

const facet = 'Rendition';

/** Properties that were filled in from the picture in the source document. They do not apply to the rendition. */
const ofPicture = ['picture:info', 'picture:views'];

/** The columns of a proxy that shows its version, but with the rendition as the main file. */
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
  const copied = Object.entries(proxy.properties).filter(
    ([xpath]) => xpaths.has(xpath) && !ofPicture.includes(xpath),
  );
  const properties: StoredProperties = {
    ...Object.fromEntries(copied),
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

/** Removes the tags from properties, because a document and its version can have different tags. */
const untagged = ({ [tagsProperty]: _, ...rest }: StoredProperties): StoredProperties => rest;

/**
 * Publishes a rendition of a document in a section: creates a proxy of the document's version that has the rendition as
 * its main file.
 * @param override as for `publish`
 * @throws Conflict if the document has changed since the rendition was created; the errors of `publish`
 */
export async function publishMadeRendition(
  scope: Scope,
  target: DocumentReference,
  made: MadeRendition,
  override: boolean,
): Promise<DocumentRow> {
  const { source } = made;
  if (source.facets.includes(facet)) throw new Invalid(`${source.path} is already a rendition.`);
  const [proxy] = await publish(scope, { id: source.id }, [target], override);
  if (!proxy) throw new Error('publishing returned no proxy');
  if (!isDeepStrictEqual(untagged(proxy.properties), untagged(source.properties)))
    throw new Conflict(
      `The document at ${source.path} was changed while its rendition was being created. Try again.`,
    );
  const { type, facets, properties } = shownBy(scope, made, proxy);
  const { repository, id } = proxy;
  const shown = (await scope.db.prisma.document.update({
    where: { repository_id: { repository, id } },
    data: { type, facets: [...facets], properties: properties as Prisma.InputJsonObject },
  })) as DocumentRow;
  await replaceBlobs(scope, { before: proxy, after: shown });
  return shown;
}
