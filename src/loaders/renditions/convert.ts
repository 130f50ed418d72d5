import { lookup } from 'mime-types';
import { essence } from '../../blobs/media-type.ts';
import type { ConverterParameters, Purpose } from '../../converters/converter.ts';
import {
  type ConversionPath,
  conversionPath,
  findConverter,
  missingPrograms,
  programsMissingFor,
} from '../../converters/index.ts';
import { InvalidParameter, readParameters } from '../../converters/parameters.ts';
import { type Program, programTitle, type Tools } from '../../converters/programs/programs.ts';
import { statement } from '../../db/statement.ts';
import { Invalid, NotFound, NotInstalled } from '../../errors.ts';
import { convertedName, stemOf } from '../../model/values/converted-name.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { Using } from '../../scope.ts';
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
  'text/html': 'html',
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
};

/** Names that stand for whichever converter takes the file. */
const anyConverter: Readonly<Record<string, Purpose>> = {
  any2text: 'text',
  any2pdf: 'pdf',
  any2html: 'html',
  office2html: 'html',
};

const shown = (text: string): string => text.slice(0, 80);

/** @throws NotInstalled when there are such programs. */
export function requirePrograms(missing: readonly Program[], what: string): void {
  if (missing.length === 0) return;
  throw new NotInstalled(`${what} needs ${missing.map(programTitle).join(' and ')}: not installed here`);
}

/** @returns undefined for a file that is what was asked for already. @throws Invalid, NotInstalled */
// Clients tell the two kinds of fault by the words "is not registered" and "is not available".
function pathNamed(name: string, mimeType: string, tools: Tools): ConversionPath | undefined {
  const makes = Object.hasOwn(anyConverter, name) ? anyConverter[name] : undefined;
  if (makes !== undefined && makes === purposes[mimeType]) return undefined;
  const title = `Converter ${name} is not available: it`;
  if (makes) requirePrograms(programsMissingFor(makes, mimeType, tools), title);
  const path = makes && conversionPath(makes, mimeType, tools);
  if (path) return path;
  const converter = findConverter(name);
  if (!converter && !makes)
    throw new InvalidParameter('converter', `Converter ${shown(name)} is not registered`);
  if (!converter?.takes.includes(mimeType))
    throw new InvalidParameter('converter', `files of ${shown(mimeType)} are not taken`);
  requirePrograms(missingPrograms(converter, tools), title);
  return [converter];
}

/** @throws Invalid */
function wantedType({ type, format }: ConvertedInto): string {
  if (type) return essence(type);
  if (!format) throw new Invalid('one of converter, type and format says what the file is to become');
  const found = lookup(`.${format}`);
  if (!found)
    throw new InvalidParameter('format', `there is no media type of files that end with .${shown(format)}`);
  return found;
}

/** @returns undefined for a file that is what was asked for already. @throws Invalid, NotInstalled */
function requestedPath(into: ConvertedInto, mimeType: string, tools: Tools): ConversionPath | undefined {
  if (into.converter) return pathNamed(into.converter, mimeType, tools);
  const type = wantedType(into);
  const makes = Object.hasOwn(purposes, type) ? purposes[type] : undefined;
  const path = makes && conversionPath(makes, mimeType, tools);
  if (path || type === mimeType) return path;
  if (makes) requirePrograms(programsMissingFor(makes, mimeType, tools), `${type} of ${shown(mimeType)}`);
  const parameter = into.type ? 'type' : 'format';
  throw new InvalidParameter(parameter, `no converter makes ${shown(type)} of ${shown(mimeType)}`);
}

export interface PlannedConversion {
  /** Absent where the file is what was asked for already. */
  readonly path: ConversionPath | undefined;
  readonly source: StoredBlob;
  readonly parameters: ConverterParameters;
}

/**
 * Finds out how a file becomes another (§10), without converting it.
 * @throws Invalid, which names the parameter, when no converter makes it; NotInstalled when one needs
 * programs that are not there; NotFound without a file.
 */
export async function planConversion(
  { services: { blobs, conversions } }: Using<'blobs' | 'conversions'>,
  blob: BlobShape | undefined,
  into: ConvertedInto,
): Promise<PlannedConversion> {
  if (!blob) throw new NotFound('there is no file to convert');
  const path = requestedPath(into, essence(blob.mimeType), conversions.tools);
  const last = path && (path.length === 1 ? path[0] : path[1]);
  const parameters = last ? readParameters(last, into.parameters ?? {}) : {};
  if (blob.text === undefined) return { path, source: blob, parameters };
  // The text of a property is stored, since converters read files.
  const { text, ...described } = blob;
  return { path, source: { ...described, ...(await blobs.write([Buffer.from(text)])) }, parameters };
}

const failureQuery = statement('conversion-failure', { error: 'text' })`
  SELECT error FROM rendition WHERE source_digest = $1 AND converter = ANY($2::text[]) AND error IS NOT NULL LIMIT 1`;

/** Why a file could not be converted, for administrators: it may tell of the machine. */
async function failureOf({ db, user }: Context, digest: string, path: ConversionPath): Promise<string> {
  if (!user.isAdministrator) return '';
  const names = path.map(({ name }) => name);
  const [failure] = await db.query(failureQuery, [digest, names]);
  return failure ? `: ${failure.error}` : '';
}

/**
 * A file as one of another kind, kept by the digest of the file (§10).
 * @throws what `planConversion` does; NotFound also when it cannot be converted.
 */
export async function convertBlob(
  context: Context,
  blob: BlobShape | undefined,
  into: ConvertedInto,
): Promise<BlobShape> {
  const { path, source, parameters } = await planConversion(context, blob, into);
  if (!path) return source;
  const made = await context.services.conversions.along(context.db, path, source, { parameters });
  if (!made) {
    const fault = `${source.name ?? 'the file'} cannot be converted by ${path.at(-1)?.name}`;
    throw new NotFound(fault + (await failureOf(context, source.digest, path)));
  }
  return { ...made, name: convertedName(stemOf(source.name), made.mimeType) };
}
