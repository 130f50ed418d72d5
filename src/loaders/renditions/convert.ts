import { lookup } from 'mime-types';
import { essence } from '../../blobs/media-type.ts';
import type { ConverterParameters, Purpose } from '../../converters/converter.ts';
import { encryptedFault } from '../../converters/encrypted.ts';
import {
  type ConversionPath,
  conversionPath,
  findConverter,
  missingPrograms,
  programsMissingFor,
} from '../../converters/index.ts';
import { InvalidParameter, readParameters } from '../../converters/parameters.ts';
import { type Program, programTitle, type Tools } from '../../converters/programs/programs.ts';
import { Invalid, NotFound, NotInstalled } from '../../errors.ts';
import { convertedName, stemOf } from '../../model/values/converted-name.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { Using } from '../../scope.ts';
import type { Context } from '../context.ts';

/**
 * The target of a conversion. At least one of the first three fields is set; if several are set, the first of these is
 * used.
 */
export interface ConversionTarget {
  /** The name of a converter. */
  readonly converter?: string | null | undefined;
  /** A media type. */
  readonly type?: string | null | undefined;
  /** A file extension that stands for a media type. */
  readonly format?: string | null | undefined;
  /** The parameters of the request, including those for the converter. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The conversion purposes, by the media types that callers can request. */
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

/**
 * Names from the reference implementation that stand for any converter that accepts the file and produces the format.
 */
const anyConverter: Readonly<Record<string, Purpose>> = {
  any2text: 'text',
  any2pdf: 'pdf',
  any2html: 'html',
  office2html: 'html',
  any2layout: 'layout',
};

const shown = (text: string): string => text.slice(0, 80);

/**
 * Checks that programs are installed.
 * @param what the beginning of the message, which names the conversion that needs the programs
 * @throws NotInstalled if programs are missing
 */
export function requirePrograms(missing: readonly Program[], what: string): void {
  if (missing.length === 0) return;
  const verb = missing.length === 1 ? 'is' : 'are';
  const programs = missing.map(programTitle).join(' and ');
  throw new NotInstalled(`${what} needs ${programs}, which ${verb} not installed on this server.`);
}

/**
 * Finds the conversion path for a converter's name. Clients distinguish the two possible errors by the words "is not
 * registered" and "is not available".
 * @returns undefined for a file that already has the requested format
 * @throws Invalid, NotInstalled
 */
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
    throw new InvalidParameter(
      'converter',
      `${shown(name)} does not accept files of type ${shown(mimeType)}.`,
    );
  requirePrograms(missingPrograms(converter, tools), title);
  return [converter];
}

/**
 * The media type that a target requests.
 * @throws Invalid
 */
function targetType({ type, format }: ConversionTarget): string {
  if (type) return essence(type);
  if (!format) throw new Invalid('One of converter, type and format is required.');
  const found = lookup(`.${format}`);
  if (!found)
    throw new InvalidParameter(
      'format',
      `the extension .${shown(format)} does not belong to a known media type.`,
    );
  return found;
}

/**
 * Finds the conversion path for a target.
 * @returns undefined for a file that already has the requested format
 * @throws Invalid, NotInstalled
 */
function requestedPath(into: ConversionTarget, mimeType: string, tools: Tools): ConversionPath | undefined {
  if (into.converter) return pathNamed(into.converter, mimeType, tools);
  const type = targetType(into);
  const makes = Object.hasOwn(purposes, type) ? purposes[type] : undefined;
  const path = makes && conversionPath(makes, mimeType, tools);
  if (path || type === mimeType) return path;
  if (makes)
    requirePrograms(programsMissingFor(makes, mimeType, tools), `Converting ${shown(mimeType)} to ${type}`);
  const parameter = into.type ? 'type' : 'format';
  throw new InvalidParameter(parameter, `no converter can convert ${shown(mimeType)} to ${shown(type)}.`);
}

export interface PlannedConversion {
  /** Absent if the file already has the requested format. */
  readonly path: ConversionPath | undefined;
  readonly source: StoredBlob;
  readonly parameters: ConverterParameters;
}

/**
 * Plans the conversion of a file (§10) without performing it.
 * @throws Invalid, with the name of the parameter, if no converter can perform it; NotInstalled if a program is
 * missing; NotFound if there is no file
 */
export async function planConversion(
  { services: { blobs, conversions } }: Using<'blobs' | 'conversions'>,
  blob: BlobShape | undefined,
  into: ConversionTarget,
): Promise<PlannedConversion> {
  if (!blob) throw new NotFound('There is no file to convert.');
  const path = requestedPath(into, essence(blob.mimeType), conversions.tools);
  const last = path && (path.length === 1 ? path[0] : path[1]);
  const parameters = last ? readParameters(last, into.parameters ?? {}) : {};
  if (blob.text === undefined) return { path, source: blob, parameters };
  // Converters read files, so text that is stored in a property is first written to the blob store.
  const { text, ...described } = blob;
  return { path, source: { ...described, ...(await blobs.write([Buffer.from(text)])) }, parameters };
}

/**
 * Returns the stored error of a failed conversion. An error can reveal details about the server, so only administrators
 * see it, unless it says that the file is encrypted.
 */
async function failureOf({ db, user }: Context, digest: string, path: ConversionPath): Promise<string> {
  const converter = { in: path.map(({ name }) => name) };
  const where = { sourceDigest: digest, converter, error: { not: null } };
  const failure = await db.prisma.rendition.findFirst({ where, select: { error: true } });
  const isShown = failure && (user.isAdministrator || failure.error === encryptedFault);
  return isShown ? `: ${failure.error}` : '';
}

/**
 * Converts a file (§10). The result is stored under the digest of the file and reused.
 * @throws the errors of `planConversion`; also NotFound if the conversion fails
 */
export async function convertBlob(
  context: Context,
  blob: BlobShape | undefined,
  into: ConversionTarget,
): Promise<BlobShape> {
  const { path, source, parameters } = await planConversion(context, blob, into);
  if (!path) return source;
  const made = await context.services.conversions.along(context.db, path, source, { parameters });
  if (!made || (path.at(-1)?.makes === 'thumbnail' && made.length === 0)) {
    const fault = `${source.name ?? 'The file'} cannot be converted by ${path.at(-1)?.name}`;
    throw new NotFound(fault + (await failureOf(context, source.digest, path)));
  }
  return { ...made, name: convertedName(stemOf(source.name), made.mimeType) };
}
