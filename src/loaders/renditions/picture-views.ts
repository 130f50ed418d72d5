import type { PictureView } from '../../converters/converter.ts';
import { converterFor } from '../../converters/index.ts';
import { pictureViews } from '../../converters/picture-views.ts';
import { NotFound } from '../../errors.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import { asBlob, isFields } from '../../model/values/stored.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { Rendition } from './rendition.ts';

const isPicture = ({ services: { model } }: Context, document: DocumentRow): boolean =>
  facetsOf(model, document).includes('Picture');

/**
 * Returns the stored view of a document with the given title, whether it was created by the server or by a client.
 */
function storedView({ properties }: DocumentRow, title: PictureView): BlobShape | undefined {
  const views = properties['picture:views'];
  if (!Array.isArray(views)) return undefined;
  const view = views.find((each) => isFields(each) && each.title === title);
  return isFields(view) ? asBlob(view.content) : undefined;
}

/** The main file, if it is a picture from which the server can create views. */
function pictureIn(
  { services: { model } }: Context,
  document: DocumentRow,
  view: PictureView,
): BlobShape | undefined {
  const main = blobAt(model, document, '');
  const isMade = main?.text === undefined && main && converterFor(view, main.mimeType) !== undefined;
  return isMade ? main : undefined;
}

/**
 * The name of the file for a view.
 * @param name the name of the picture's file
 */
export const viewFileName = (view: PictureView, name: string, mimeType: string): string =>
  `${view}_${name.replace(/\.[^.]{1,20}$/, '')}.${mimeType === 'image/png' ? 'png' : 'jpg'}`;

/** A picture in another size: the stored view if there is one, and otherwise one created from the main file. */
const viewRendition = (name: PictureView): Rendition => ({
  name,
  kind: 'nuxeo:picture:conversion',
  icon: 'picture',
  isVisible: true,
  isOf: (context, document) =>
    isPicture(context, document) &&
    (storedView(document, name) ?? pictureIn(context, document, name)) !== undefined,
  make: async (context, document) => {
    const stored = storedView(document, name);
    if (stored) return stored;
    const main = pictureIn(context, document, name);
    const made = main ? await context.services.conversions.of(context.db, name, main) : null;
    if (!made) throw new NotFound(`The picture of the document at ${document.path} cannot be converted.`);
    return { ...made, name: viewFileName(name, main?.name ?? document.name, made.mimeType) };
  },
});

export const pictureViewRenditions: readonly Rendition[] = pictureViews.map(viewRendition);
