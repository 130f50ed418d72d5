import type { Converter } from './converter.ts';
import { openPicture, pictureTypes } from './picture.ts';

/** Of the longer side, in pixels: more is not seen on paper. */
const mostOnPaper = 4_000;

/** A PDF of one page, which is the picture. */
export const imageToPdf: Converter = {
  name: 'image2pdf',
  makes: 'pdf',
  takes: pictureTypes,
  convert: async ({ file }) => {
    const { picture } = await openPicture(file);
    const { PDFDocument } = await import('pdf-lib');
    const jpeg = await picture
      .resize(mostOnPaper, mostOnPaper, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer();
    const document = await PDFDocument.create();
    const image = await document.embedJpg(jpeg);
    document.addPage([image.width, image.height]).drawImage(image);
    return { mimeType: 'application/pdf', bytes: await document.save() };
  },
};
