import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pLimit from 'p-limit';
import type { BlobStore } from '../blobs/blob-store.ts';
import { essence } from '../blobs/media-type.ts';
import { ownerOnly } from '../blobs/private-folder.ts';
import { asStoreError } from '../blobs/store-bytes.ts';
import { NotInstalled, Unavailable } from '../errors.ts';
import type { Converted, ConverterParameters, FileFacts } from './converter.ts';
import { converterProcess } from './converter-process.ts';
import { findConverter } from './index.ts';
import { InvalidParameter } from './parameters.ts';
import type { FailedOrder, Order, ResultOf } from './program.ts';
import { programTitle, type Tools } from './programs/programs.ts';
import { textLimit } from './texts/text-limit.ts';
import { listWords } from './texts/text-words.ts';

/** Thrown if a file cannot be converted. The message states the reason. */
export class ConversionFailed extends Error {}

/** A text file in the blob store. */
export interface StoredText {
  readonly digest: string;
  readonly encoding?: string | null;
}

/** A file in the blob store. */
interface StoredFile extends StoredText {
  readonly mimeType: string;
}

interface Conversion extends StoredFile {
  readonly converter: string;
  readonly others?: readonly StoredFile[];
  readonly parameters?: ConverterParameters;
}

/** The result of a conversion, which is stored in the blob store. */
interface StoredConversion {
  readonly mimeType: string;
  readonly digest: string;
  readonly length: number;
  readonly facts?: FileFacts;
}

/** Converts files in separate processes. */
export interface Conversions {
  /**
   * Converts a stored file and stores the result.
   * @param maxWait the maximum number of milliseconds to wait for a free process.
   * @throws ConversionFailed if the file cannot be converted.
   * @throws NotInstalled if the conversion requires a program that is not installed.
   * @throws InvalidParameter if a parameter is not valid for the file.
   * @throws Unavailable if too many conversions are waiting, or if this one has waited too long.
   */
  convert(conversion: Conversion, maxWait?: number): Promise<StoredConversion>;
  /**
   * Lists the words in a stored text file for the search index. For a long text, this takes up to a second of CPU time,
   * so another process does it.
   * @param language the language of SEARCH_LANGUAGE.
   * @returns a tsvector.
   * @throws ConversionFailed if the process has crashed or exceeded its limits.
   * @throws Unavailable like `convert`.
   */
  wordsOf(text: StoredText, language: string | undefined): Promise<string>;
  /** Aborts the running conversions, which fail with Unavailable as a result. */
  close(): Promise<void>;
}

interface ConversionSettings {
  readonly blobs: Pick<BlobStore, 'read' | 'write' | 'withFiles'>;
  readonly tools: Tools;
  /** The number of concurrent converter processes. */
  readonly processes?: number;
  /** The number of milliseconds after which an idle process is stopped. */
  readonly idle?: number;
}

/** The default limits of a conversion. A converter can set other limits. */
const defaultLimits = { seconds: 3.5, timeout: 60 };

/** The limits for listing the words of a text, whose length is limited. */
const limitsOfWords = { seconds: 30, timeout: 120 };

/** The number of bytes at the beginning of a text that are read. A character takes at most four bytes. */
const maxTextBytes = 4 * textLimit;

/**
 * The number of bytes of a text up to which its words are listed in this process. It takes a few milliseconds, less than
 * starting another process.
 */
const shortText = 16_384;

const maxMemory = 2 * 1024 ** 3; // in bytes, for one process

/** The maximum number of conversions that can wait for a process. */
const maxWaiting = 200;

type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

const aborted = () => new Unavailable('The server is stopping.');

const tooMany = () => new Unavailable('Too many files are waiting to be converted. Try again later.');

/** Queues work. Work that has not started after `maxWait` milliseconds is rejected and never starts. */
function begunInTime<Result>(limit: Limit, work: () => Promise<Result>, maxWait?: number): Promise<Result> {
  if (maxWait === undefined) return limit(work);
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(tooMany());
    }, maxWait);
    const begin = async (): Promise<Result> => {
      clearTimeout(timer);
      if (isLate) throw tooMany();
      return work();
    };
    limit(begin).then(resolve, reject);
  });
}

const bytesOf = (converted: Converted) =>
  'file' in converted ? createReadStream(converted.file) : [converted.bytes];

function errorOf({ fault, parameter, program }: FailedOrder): Error {
  if (program)
    return new NotInstalled(`${fault} ${programTitle(program)} can, but it is not installed on this server.`);
  return parameter === undefined ? new ConversionFailed(fault) : new InvalidParameter(parameter, fault);
}

/**
 * Creates the queue of conversions. By default, each server process runs two conversions concurrently; further
 * conversions wait.
 */
export function createConversions({
  blobs,
  tools,
  processes = 2,
  idle = 30_000,
}: ConversionSettings): Conversions {
  const all = Array.from({ length: processes }, () => converterProcess(idle));
  const free = [...all];
  const inTurn = pLimit(processes);
  const slowly = pLimit(Math.max(1, processes - 1));
  const underWay = new Map<string, Promise<StoredConversion>>();
  let isClosed = false;

  const inFreeProcess = async <Kind extends Order>(
    order: Kind,
    limits: typeof defaultLimits,
  ): Promise<ResultOf<Kind>> => {
    if (isClosed) throw aborted();
    const one = free.pop();
    if (!one) throw new Error('No converter process is free.');
    try {
      const outcome = await one.run(order, { ...limits, memory: maxMemory });
      if (isClosed) throw aborted(); // the server killed the process, so the file did not cause the failure
      if ('fault' in outcome) throw errorOf(outcome);
      return outcome as ResultOf<Kind>;
    } finally {
      free.push(one);
    }
  };
  // A converter process starts converting the next file while the previous result is still being stored.
  const run = async (
    { converter, digest, mimeType, encoding = null, others = [], parameters = {} }: Conversion,
    maxWait?: number,
  ): Promise<StoredConversion> => {
    const folder = join(tmpdir(), `quire-${randomUUID()}`);
    const { needs = [], canUse = [], hasParts = false } = findConverter(converter) ?? {};
    const runsPrograms = [...needs, ...canUse].some((program) => tools.paths[program] !== undefined);
    const needsFolder = runsPrograms || hasParts;
    // Conversions by external programs are slow, so one process is reserved for conversions without them.
    const limit: Limit = runsPrograms ? (work) => slowly(() => inTurn(work)) : inTurn;
    const digests = [digest, ...others.map((each) => each.digest)];
    const work = () =>
      blobs.withFiles(digests, (fileOf) => {
        const rest = others.map((each) => ({ file: fileOf(each.digest), mimeType: essence(each.mimeType) }));
        const source = { file: fileOf(digest), mimeType: essence(mimeType), encoding, others: rest };
        const { seconds, timeout } = { ...defaultLimits, ...findConverter(converter) };
        const order = { converter, ...source, parameters, folder, tools };
        return inFreeProcess(order, { seconds, timeout });
      });
    try {
      if (needsFolder) {
        await mkdir(folder, { mode: ownerOnly.folder }).catch((error: unknown) => {
          throw asStoreError(error);
        });
      }
      const { converted } = await begunInTime(limit, work, maxWait);
      const { mimeType: type, facts } = converted;
      return { mimeType: type, ...(await blobs.write(bytesOf(converted))), ...(facts && { facts }) };
    } finally {
      if (needsFolder) await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    convert: (conversion, maxWait) => {
      const key = JSON.stringify([conversion, maxWait]);
      const same = underWay.get(key);
      if (same) return same;
      if (underWay.size >= processes + maxWaiting) throw tooMany();
      const converting = run(conversion, maxWait).finally(() => underWay.delete(key));
      underWay.set(key, converting);
      return converting;
    },
    wordsOf: async ({ digest, encoding = null }, language) => {
      const bytes = await buffer(await blobs.read(digest, { start: 0, end: maxTextBytes }));
      const isTruncated = bytes.length > maxTextBytes;
      const order = { text: bytes.subarray(0, maxTextBytes), isTruncated, encoding, language };
      if (bytes.length <= shortText) return listWords(order);
      return (await inTurn(() => inFreeProcess(order, limitsOfWords))).words;
    },
    close: async () => {
      isClosed = true;
      for (const one of all) one.end();
    },
  };
}
