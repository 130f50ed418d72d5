import { createReadStream } from 'node:fs';
import type { ConversionTask } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { readBeginning, readWhole } from '../whole-file.ts';

/** A container file with named streams, in the format that Microsoft Office used before 2007 (MS-CFB). */
export interface CompoundFile {
  readonly bytes: Buffer;
  /** Returns the bytes of a stream in the root folder; undefined if there is no stream with this name. */
  readonly stream: (name: string) => Buffer | undefined;
}

/** Whether a file begins with the signature of a compound file. */
export const isCompoundFile = async (file: string): Promise<boolean> =>
  (await readBeginning(file, 8)).toString('hex') === 'd0cf11e0a1b11ae1';

/**
 * Reads a compound file.
 * @throws Error if the file is not a compound file, is damaged, or is an encrypted file in a newer office format
 */
export async function readCompoundFile(file: string): Promise<CompoundFile> {
  if (!(await isCompoundFile(file))) throw new Error('the file is not a compound file');
  const bytes = await readWhole(file);
  const { CFB } = await import('@e965/xlsx');
  const container: unknown = CFB.read(bytes, { type: 'buffer' });
  const stream = (name: string): Buffer | undefined => {
    const entry: { content?: Uint8Array } | null = CFB.find(container, `/${name}`);
    return entry?.content && Buffer.from(entry.content);
  };
  if (stream('EncryptedPackage')) throw encrypted();
  return { bytes, stream };
}

/** The media types of compound files, by the name of the stream that holds the main content. */
const typesByStream: Readonly<Record<string, string>> = {
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
  '__properties_version1.0': 'application/vnd.ms-outlook',
};

/**
 * Determines the media type of a compound file; undefined if it is unknown. @throws the errors of `readCompoundFile`
 */
export async function typeOfCompoundFile(file: string): Promise<string | undefined> {
  const { stream } = await readCompoundFile(file);
  return Object.entries(typesByStream).find(([name]) => stream(name) !== undefined)?.[1];
}

/**
 * Extracts the text of a file whose format does not match its media type. For example, RTF files are often named
 * `.doc`, and HTML files `.xls`.
 * @throws Error if the file contains no text
 */
export async function textOfOtherFormat({ file, textOfPart }: ConversionTask): Promise<string> {
  const text = await textOfPart({ name: '', bytes: createReadStream(file) });
  if (text === undefined) throw new Error('the format of the file does not match its media type');
  return text;
}
