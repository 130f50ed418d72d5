import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** The maximum length of the longer side in pixels. A higher resolution would not be visible on paper. */
const maxPixels = 4_000;

/** Converts a picture to a PDF with one page. */
export const imageToPdf: Converter = {
  name: 'image2pdf',
  makes: 'pdf',
  takes: pictureTypes,
  convert: async ({ file }) => {
    const { picture } = await openPicture(file);
    const { PDFDocument } = await import('pdf-lib');
    const jpeg = await picture
      .resize(maxPixels, maxPixels, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer();
    const document = await PDFDocument.create();
    const image = await document.embedJpg(jpeg);
    document.addPage([image.width, image.height]).drawImage(image);
    return { mimeType: 'application/pdf', bytes: await document.save() };
  },
};
