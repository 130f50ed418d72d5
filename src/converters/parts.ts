import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { essence, mediaTypeOf } from '../blobs/media-type.ts';
import { ownerOnly } from '../blobs/private-folder.ts';
import { readStart, startBytes, textEncodingOf } from '../blobs/text.ts';
import type { ConversionTask, FilePart } from './converter.ts';
import { converterFor } from './index.ts';
import { work } from './process-usage.ts';
import { noTools } from './programs/programs.ts';
import { typeOfCompoundFile } from './texts/compound-file.ts';
import { textLimit } from './texts/text-limit.ts';
import { readBeginning } from './whole-file.ts';

/** The media type of compound files of unknown format. */
const compoundType = 'application/x-cfb';

/** The maximum nesting depth of parts, such as an email in an archive that is attached to another email. */
const maxDepth = 3;

/** The limits for all parts of a file taken together, at any depth. */
const limits = { parts: 200, bytes: 50_000_000, seconds: 2 };

/**
 * Text formats, each with a pattern for its first characters. Web pages and emails are often saved with the file
 * extension of an office format.
 */
const textFormats: ReadonlyArray<readonly [type: string, start: RegExp]> = [
  ['text/html', /^\s*<(?:!doctype html|html|head|body|meta|table|style)[\s>]/i],
  ['message/rfc822', /^(?:MIME-Version|From|Received|Return-Path|Message-ID): /i],
];

/** Passes bytes through up to a limit. Several streams share the counter of remaining bytes. */
const counted = (left: { bytes: number }): Transform =>
  new Transform({
    transform: (chunk: Buffer, _, done) => {
      left.bytes -= chunk.byteLength;
      done(left.bytes < 0 ? new Error('the parts are too large') : null, chunk);
    },
  });

/**
 * Determines the specific media type of a part that was recognized only as a compound file or as plain text. Returns
 * undefined if its content does not reveal a specific type.
 */
async function innerType(type: string, file: string): Promise<string | undefined> {
  if (type === compoundType) return typeOfCompoundFile(file);
  if (type !== 'text/plain') return undefined;
  const text = await readStart(file, 1_000);
  return textFormats.find(([, beginning]) => beginning.test(text))?.[0];
}

/**
 * Creates the function that extracts the text of files inside a file, such as attachments. It returns no text for parts
 * that are unreadable or exceed the limits.
 */
export function partReader({ folder }: Pick<ConversionTask, 'folder'>): ConversionTask['textOfPart'] {
  const left = { parts: limits.parts, bytes: limits.bytes };
  const begin = work();
  const atDepth =
    (depth: number): ConversionTask['textOfPart'] =>
    async ({ name, mimeType, bytes }) => {
      if (depth > maxDepth || left.parts <= 0 || left.bytes <= 0 || work() - begin > limits.seconds)
        return undefined;
      left.parts -= 1;
      const file = join(folder, randomUUID());
      try {
        await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
        const stream = bytes instanceof Uint8Array ? Readable.from([bytes]) : bytes;
        await pipeline(stream, counted(left), createWriteStream(file, { mode: ownerOnly.file }));
        return await textOfFile({ file, name, mimeType }, atDepth(depth + 1));
      } catch {
        return undefined;
      } finally {
        await rm(file, { force: true });
      }
    };
  const textOfFile = async (
    { file, name, mimeType }: Omit<FilePart, 'bytes'> & { readonly file: string },
    textOfPart: ConversionTask['textOfPart'],
  ): Promise<string | undefined> => {
    const start = await readBeginning(file, startBytes);
    const named = essence(await mediaTypeOf({ name, declared: mimeType, start }));
    const type = (await innerType(named, file)) ?? named;
    const converter = converterFor('text', type);
    if (!converter) return textEncodingOf(start) && readStart(file, textLimit);
    const task = { file, mimeType: type, others: [], parameters: {}, folder, tools: noTools, textOfPart };
    const converted = await converter.convert(task);
    return 'bytes' in converted ? Buffer.from(converted.bytes).toString() : undefined;
  };
  return atDepth(1);
}
