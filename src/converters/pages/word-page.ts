import type { Converter } from '../converter.ts';
import { requireUnencrypted } from '../require-unencrypted.ts';
import { asPage } from '../texts/html-pages.ts';
import { requireSmallArchive } from '../texts/unpacked.ts';
import { requireSmall } from '../whole-file.ts';

/** The maximum width and height of a picture in pixels, and the maximum number of bytes of all pictures of a page. */
const pictureSize = 900;
const maxPictureBytes = 2_000_000;

const rules = 'body{max-width:48rem;margin:1.5rem auto;padding:0 1.25rem}img{border-radius:2px}';

/**
 * Converts the text of a Word file with headings, lists, tables and pictures to HTML. The layout of the pages, headers
 * and footers are lost.
 */
export const wordPage: Converter = {
  name: 'docx2html',
  makes: 'html',
  takes: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
    'application/vnd.ms-word.document.macroenabled.12',
  ],
  convert: async ({ file }) => {
    await requireSmall(file);
    await requireSmallArchive(file);
    await requireUnencrypted(file);
    const [{ mammoth }, { default: sharp }] = await Promise.all([import('./mammoth.ts'), import('sharp')]);
    let left = maxPictureBytes;
    const convertImage = mammoth.images.imgElement(async (image) => {
      const small = await sharp(await image.readAsBuffer())
        .resize({ width: pictureSize, height: pictureSize, fit: 'inside', withoutEnlargement: true })
        .toFormat('webp', { quality: 80 })
        .toBuffer()
        .catch(() => undefined); // for example, a drawing in a format of Windows
      if (!small || small.length > left) return { src: 'data:,' };
      left -= small.length;
      return { src: `data:image/webp;base64,${small.toString('base64')}` };
    });
    const { value } = await mammoth.convertToHtml(
      { path: file },
      { convertImage, externalFileAccess: false },
    );
    return asPage(value, rules);
  },
};
