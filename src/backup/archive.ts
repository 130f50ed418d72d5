import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { syncFolder } from '../blobs/folder-store.ts';
import { Invalid } from '../errors.ts';

/** Writes entries to a backup archive. */
export interface ArchiveWriter {
  addText(name: string, text: string): Promise<void>;
  /** Adds a blob to the archive. @returns the SHA-256 digest of its bytes */
  addBlob(name: string, content: Buffer | Readable, size: number): Promise<string>;
}

const compress = promisify(gzip);
const blockLength = 1_000_000;
const sampleLength = 50_000;

/**
 * Compresses a block of bytes to a gzip member. Data that compresses poorly, such as images, is stored uncompressed,
 * which is ten times faster.
 */
async function member(bytes: Buffer): Promise<Buffer> {
  const sample = bytes.subarray(0, sampleLength);
  const isCompressible = (await compress(sample, { level: 1 })).length < sample.length * 0.9;
  return compress(bytes, { level: isCompressible ? 3 : 0 });
}

async function* compressed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    block.push(chunk);
    length += chunk.length;
    if (length < blockLength) continue;
    yield member(Buffer.concat(block));
    block = [];
    length = 0;
  }
  if (length > 0) yield member(Buffer.concat(block));
}

/**
 * Writes an archive. Until the archive is complete and flushed to disk, the file is named FILE.unfinished.
 */
export async function writeArchive(
  file: string,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  const packing = pack();
  const written = pipeline(packing, compressed, handle.createWriteStream({ flush: true }), { signal });
  const addBytes = (name: string, bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry = packing.entry({ name, mode: 0o600 }, bytes, (error) =>
        error ? reject(error) : resolve(),
      );
      entry.on('error', reject);
    });
  const archive: ArchiveWriter = {
    addText: (name, text) => addBytes(name, Buffer.from(text)),
    addBlob: async (name, content, size) => {
      const hash = createHash('sha256');
      if (Buffer.isBuffer(content)) {
        await addBytes(name, content);
        return hash.update(content).digest('hex');
      }
      async function* hashed(bytes: AsyncIterable<Buffer>) {
        for await (const chunk of bytes) {
          hash.update(chunk);
          yield chunk;
        }
      }
      await pipeline(content, hashed, packing.entry({ name, size, mode: 0o600 }));
      return hash.digest('hex');
    },
  };
  try {
    await Promise.race([fill(archive), written]);
    packing.finalize();
    await written;
    await rename(unfinished, file);
    await syncFolder(dirname(file));
  } catch (error) {
    packing.destroy();
    await written.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** An entry in an archive that is being read. */
export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Reads an archive sequentially. The content of an entry must be read before the next entry is requested.
 * @throws Invalid if the file is not a complete archive
 */
export async function* readArchive(file: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const extracting = extract();
  const read = pipeline(createReadStream(file), createGunzip(), extracting, { signal });
  read.catch(() => {}); // The loop over the entries throws the same error.
  const explained = (error: unknown): unknown => {
    signal.throwIfAborted();
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall) return error; // A system error: the file could not be read.
    return new Invalid(`${file} is damaged, truncated or not a backup: ${message}`, { cause: error });
  };
  async function* chunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* bytes;
    } catch (error) {
      throw explained(error);
    }
  }
  try {
    for await (const entry of extracting) {
      yield { name: entry.header.name, size: entry.header.size ?? 0, bytes: chunks(entry) };
    }
    await read;
  } catch (error) {
    throw explained(error);
  } finally {
    extracting.destroy();
  }
}
