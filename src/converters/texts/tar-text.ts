import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ConversionTask, Converter } from '../converter.ts';
import { readBeginning } from '../whole-file.ts';
import { asText, textLimit } from './text-limit.ts';
import { entryLimit, unpackedLimit } from './unpacked.ts';

const blockBytes = 512;

/** Whether bytes begin with the header of a tar archive. */
export const isTar = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(257, 262)).toString('latin1') === 'ustar';

/** Passes on a stream, and fails as soon as it exceeds the maximum number of decompressed bytes. */
export async function* limited(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = unpackedLimit;
  for await (const chunk of stream) {
    left -= chunk.byteLength;
    if (left < 0) throw new Error(`the archive has more than ${unpackedLimit} bytes when decompressed`);
    yield chunk;
  }
}

/** Returns the names and texts of the files in a tar archive. */
async function textOfTar(stream: Readable, textOfPart: ConversionTask['textOfPart']): Promise<string> {
  const { default: tar } = await import('tar-stream');
  const extract = tar.extract();
  const reading = pipeline(stream, limited, extract);
  reading.catch(() => {}); // the iteration below fails with the same error
  let [names, texts, count] = ['', '', 0];
  for await (const entry of extract) {
    const { name, type } = entry.header;
    count += 1;
    if (count > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    names += `${name}\n`;
    if (type === 'file' && texts.length < textLimit) {
      const text = await textOfPart({ name, bytes: entry.pipe(new PassThrough()) });
      texts += `${text ?? ''}\n`;
    }
    entry.resume();
  }
  await reading;
  return names + texts;
}

/** Decompresses the first bytes of a file. */
export async function unpackedBeginning(file: string): Promise<Buffer> {
  const bytes: Buffer[] = [];
  let length = 0;
  const stream = createReadStream(file).pipe(createGunzip());
  for await (const chunk of stream) {
    bytes.push(chunk);
    length += chunk.length;
    if (length >= blockBytes) break;
  }
  return Buffer.concat(bytes);
}

/** Returns the file name stored in the gzip header; empty if there is none. */
function storedName(start: Buffer): string {
  const [hasName, hasExtra] = [((start[3] ?? 0) & 8) !== 0, ((start[3] ?? 0) & 4) !== 0];
  if (!hasName || hasExtra) return '';
  const end = start.indexOf(0, 10);
  return end === -1 ? '' : start.toString('latin1', 10, end);
}

/** Extracts the names and texts of the files in a tar archive. */
const tarText: Converter = {
  name: 'tar2text',
  makes: 'text',
  takes: ['application/x-tar', 'application/x-gtar', 'application/x-ustar'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => asText(await textOfTar(createReadStream(file), textOfPart)),
};

/** Extracts the text of a file that was compressed with gzip. The file can be a tar archive. */
const gzipText: Converter = {
  name: 'gzip2text',
  makes: 'text',
  takes: ['application/gzip', 'application/x-gzip', 'application/x-compressed-tar'],
  hasParts: true,
  convert: async ({ file, textOfPart }) => {
    const isArchive = isTar(await unpackedBeginning(file));
    const stream = createReadStream(file).pipe(createGunzip());
    if (isArchive) return asText(await textOfTar(stream, textOfPart));
    const name = storedName(await readBeginning(file, blockBytes));
    return asText(`${name}\n${(await textOfPart({ name, bytes: stream })) ?? ''}`);
  },
};

export const tarTexts: readonly Converter[] = [tarText, gzipText];
