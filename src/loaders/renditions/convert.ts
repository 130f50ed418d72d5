import { lookup } from 'mime-types';
import type { Purpose } from '../../converters/converter.ts';
import { converterFor, convertersFor } from '../../converters/index.ts';
import { Invalid, NotFound } from '../../errors.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';

/** What a file is to become: one of the three, the first of which counts. */
export interface ConvertedInto {
  /** The name of a converter. */
  readonly converter?: string | null | undefined;
  /** A media type. */
  readonly type?: string | null | undefined;
  /** The extension of a media type. */
  readonly format?: string | null | undefined;
}

/** What callers may ask for by media type. */
const purposes: Readonly<Record<string, Purpose>> = { 'text/plain': 'text', 'application/pdf': 'pdf' };
const extensions: Readonly<Record<string, string>> = { 'text/plain': 'txt', 'application/pdf': 'pdf' };

const shown = (text: string): string => text.slice(0, 80);

/** @throws Invalid */
function wantedType({ converter, type, format }: ConvertedInto, mimeType: string): string {
  if (converter) {
    const named = Object.entries(purposes).find(([, makes]) =>
      convertersFor(makes).some(({ name }) => name === converter),
    );
    if (!named) throw new Invalid(`converter: there is no converter ${shown(converter)}`);
    if (converterFor(named[1], mimeType)?.name !== converter)
      throw new Invalid(`converter: ${shown(converter)} does not take ${mimeType}`);
    return named[0];
  }
  if (type) return type;
  if (!format) throw new Invalid('one of converter, type and format says what the file is to become');
  const found = lookup(`.${format}`);
  if (!found) throw new Invalid(`format: there is no media type of files that end with .${shown(format)}`);
  return found;
}

/**
 * A file as one of another kind, kept by the digest of the file (§10).
 * @throws Invalid when no converter makes it; NotFound without a file, or when it cannot be converted.
 */
export async function convertBlob(
  context: Context,
  blob: BlobShape | undefined,
  into: ConvertedInto,
): Promise<BlobShape> {
  if (!blob) throw new NotFound('there is no file to convert');
  const type = wantedType(into, blob.mimeType);
  if (blob.mimeType === type && !into.converter) return blob;
  const makes = Object.hasOwn(purposes, type) ? purposes[type] : undefined;
  if (makes === undefined || !converterFor(makes, blob.mimeType))
    throw new Invalid(`no converter makes ${shown(type)} of ${blob.mimeType}`);
  // The text of a property is stored, since converters read files.
  const { digest } = blob.text === undefined ? blob : await context.blobs.write([Buffer.from(blob.text)]);
  const made = await context.conversions.of(context.db, makes, { digest, mimeType: blob.mimeType });
  if (!made) throw new NotFound(`${blob.name ?? 'the file'} cannot be converted to ${type}`);
  const stem = (blob.name ?? 'file').replace(/\.[^.]{1,20}$/, '');
  return { ...made, name: `${stem}.${extensions[type]}` };
}
