import { readBlobStart } from '../../blobs/text.ts';
import type { Purpose } from '../../converters/converter.ts';
import { converterFor } from '../../converters/index.ts';
import { readParameters } from '../../converters/parameters.ts';
import { Invalid, NotFound } from '../../errors.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { ConversionDetails } from '../../scope.ts';
import type { Context } from '../context.ts';

const pdfType = 'application/pdf';

/** @throws Invalid */
function requirePdf({ name, mimeType }: BlobShape): void {
  if (mimeType !== pdfType) throw new Invalid(`${name ?? 'the file'} is no PDF, but ${mimeType}`);
}

async function make(
  { conversions, db }: Pick<Context, 'conversions' | 'db'>,
  makes: Purpose,
  blob: BlobShape,
  details?: ConversionDetails,
): Promise<StoredBlob> {
  const made = await conversions.of(db, makes, blob, details);
  if (!made) throw new NotFound(`${blob.name ?? 'the file'} cannot be read: it is damaged or encrypted`);
  return made;
}

/**
 * The pages of PDFs in one file, in their order.
 * @throws Invalid for a file that is no PDF, and without one; NotFound for one that cannot be read.
 */
export async function joinPdfs(
  context: Context,
  blobs: readonly BlobShape[],
  name: string,
): Promise<BlobShape> {
  const [first, ...others] = blobs;
  if (!first) throw new Invalid('there is no file to join');
  for (const blob of blobs) requirePdf(blob);
  return { ...(await make(context, 'joined', first, { others })), name };
}

/**
 * Pages of a PDF as a file of their own, counted from 1.
 * @throws Invalid for a file that is no PDF, and for pages that it lacks; NotFound when it cannot be read.
 */
export async function extractPages(
  context: Context,
  blob: BlobShape,
  wanted: { readonly firstPage?: number; readonly lastPage?: number },
): Promise<BlobShape> {
  requirePdf(blob);
  const converter = converterFor('pages', pdfType);
  const parameters = converter ? readParameters(converter, wanted) : {};
  return { ...(await make(context, 'pages', blob, { parameters })), name: blob.name };
}

/** How many pages a PDF has. @throws Invalid, NotFound as above. */
export async function pageCount(context: Context, blob: BlobShape): Promise<number> {
  requirePdf(blob);
  const { digest, length } = await make(context, 'info', blob);
  const { pages } = JSON.parse(await readBlobStart(context.blobs, digest, length)) as { pages: number };
  return pages;
}
