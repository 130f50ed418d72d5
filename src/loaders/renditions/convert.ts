import { extension, lookup } from 'mime-types';
import type { Converter, Purpose } from '../../converters/converter.ts';
import { converterFor, findConverter } from '../../converters/index.ts';
import { readParameters } from '../../converters/parameters.ts';
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
  /** Among others, those of the converter. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** What callers may ask for by media type. */
const purposes: Readonly<Record<string, Purpose>> = {
  'text/plain': 'text',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
};

/** Names that stand for whichever converter takes the file. */
const anyConverter: Readonly<Record<string, Purpose>> = { any2text: 'text', any2pdf: 'pdf' };

const shown = (text: string): string => text.slice(0, 80);

/** @throws Invalid */
function namedConverter(name: string, mimeType: string): Converter {
  const makes = Object.hasOwn(anyConverter, name) ? anyConverter[name] : undefined;
  const converter = makes ? converterFor(makes, mimeType) : findConverter(name);
  if (!converter && !makes) throw new Invalid(`converter: there is no converter ${shown(name)}`);
  if (!converter?.takes.includes(mimeType))
    throw new Invalid(`converter: ${shown(name)} does not take ${shown(mimeType)}`);
  return converter;
}

/** @throws Invalid */
function wantedType({ type, format }: ConvertedInto): string {
  if (type) return type;
  if (!format) throw new Invalid('one of converter, type and format says what the file is to become');
  const found = lookup(`.${format}`);
  if (!found) throw new Invalid(`format: there is no media type of files that end with .${shown(format)}`);
  return found;
}

/** @returns undefined for a file that is what was asked for already. @throws Invalid */
function wantedConverter(into: ConvertedInto, mimeType: string): Converter | undefined {
  if (into.converter) return namedConverter(into.converter, mimeType);
  const type = wantedType(into);
  const makes = Object.hasOwn(purposes, type) ? purposes[type] : undefined;
  const found = makes && converterFor(makes, mimeType);
  if (!found && type !== mimeType)
    throw new Invalid(`no converter makes ${shown(type)} of ${shown(mimeType)}`);
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
  const converter = wantedConverter(into, blob.mimeType);
  if (!converter) return blob;
  const parameters = readParameters(converter, into.parameters ?? {});
  // The text of a property is stored, since converters read files.
  const { digest } = blob.text === undefined ? blob : await context.blobs.write([Buffer.from(blob.text)]);
  const source = { digest, mimeType: blob.mimeType };
  const made = await context.conversions.of(context.db, converter.makes, source, { parameters });
  if (!made) throw new NotFound(`${blob.name ?? 'the file'} cannot be converted by ${converter.name}`);
  const stem = (blob.name ?? 'file').replace(/\.[^.]{1,20}$/, '');
  return { ...made, name: `${stem}.${extension(made.mimeType) || 'bin'}` };
}
