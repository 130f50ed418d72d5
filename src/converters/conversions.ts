import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { BlobStore } from '../blobs/blob-store.ts';
import { ownerOnly } from '../blobs/private-folder.ts';
import { asStoreError } from '../blobs/store-bytes.ts';
import { NotInstalled, Unavailable } from '../errors.ts';
import type { Converted, ConverterParameters, FileFacts } from './converter.ts';
import { converterProcess } from './converter-process.ts';
import { findConverter } from './index.ts';
import { InvalidParameter } from './parameters.ts';
import type { Order, Outcome } from './program.ts';
import { programTitle, type Tools } from './programs/programs.ts';

/** Thrown if a file cannot be converted. The message gives the reason. */
export class ConversionFailed extends Error {}

/** A file in the blob store. */
interface StoredFile {
  readonly digest: string;
  readonly mimeType: string;
}

interface Conversion extends StoredFile {
  /** The name of a converter. */
  readonly converter: string;
  readonly others?: readonly StoredFile[];
  readonly parameters?: ConverterParameters;
}

/** The result of a conversion, in the blob store. */
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
   * @param maxWait the number of milliseconds within which the conversion has to begin.
   * @throws ConversionFailed if the file cannot be converted.
   * @throws NotInstalled if the conversion requires a program that is not installed.
   * @throws InvalidParameter if a parameter does not suit the file.
   * @throws Unavailable if too many conversions are waiting, or this one has waited too long.
   */
  convert(conversion: Conversion, maxWait?: number): Promise<StoredConversion>;
  /** Aborts running conversions, which fail with Unavailable. */
  close(): Promise<void>;
}

interface ConversionSettings {
  readonly blobs: Pick<BlobStore, 'write' | 'withFiles'>;
  readonly tools: Tools;
  /** The number of concurrent processes. */
  readonly processes?: number;
  /** The number of milliseconds after which an idle process is ended. */
  readonly idle?: number;
}

/** The default limits of a conversion. A converter can set its own. */
const defaultLimits = { seconds: 3.5, timeout: 60 };

const maxMemory = 2 * 1024 ** 3; // bytes of a process

/** The maximum number of conversions that wait for a process. */
const maxWaiting = 200;

type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

const aborted = () => new Unavailable('The server is stopping.');

const tooMany = () => new Unavailable('Too many files are waiting to be converted. Try again later.');

/** Queues work. If it has not begun after `maxWait` milliseconds, it is rejected and will not begin. */
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

/** By default, two conversions run concurrently in the whole process, and the others wait. */
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

  const store = async (outcome: Outcome): Promise<StoredConversion> => {
    if ('fault' in outcome) {
      const { fault, parameter, program } = outcome;
      if (program)
        throw new NotInstalled(
          `${fault} ${programTitle(program)} can, but it is not installed on this server.`,
        );
      throw parameter === undefined ? new ConversionFailed(fault) : new InvalidParameter(parameter, fault);
    }
    const { converted } = outcome;
    const { mimeType, facts } = converted;
    return { mimeType, ...(await blobs.write(bytesOf(converted))), ...(facts && { facts }) };
  };
  const inFreeProcess = async (order: Order): Promise<Outcome> => {
    if (isClosed) throw aborted();
    const one = free.pop();
    if (!one) throw new Error('No converter process is free.');
    try {
      const { seconds, timeout } = { ...defaultLimits, ...findConverter(order.converter) };
      const outcome = await one.run(order, { seconds, timeout, memory: maxMemory });
      if (isClosed) throw aborted(); // the process was killed, so its fault is not that of the file
      return outcome;
    } finally {
      free.push(one);
    }
  };
  // A process gets its next file while the result of the previous one is still being stored.
  const run = async (
    { converter, digest, mimeType, others = [], parameters = {} }: Conversion,
    maxWait?: number,
  ): Promise<StoredConversion> => {
    const folder = join(tmpdir(), `quire-${randomUUID()}`);
    const { needs = [], canUse = [] } = findConverter(converter) ?? {};
    const runsPrograms = [...needs, ...canUse].some((program) => tools.paths[program] !== undefined);
    // Conversions by programs are slow, so one process is reserved for other conversions.
    const limit: Limit = runsPrograms ? (work) => slowly(() => inTurn(work)) : inTurn;
    const digests = [digest, ...others.map((each) => each.digest)];
    const work = () =>
      blobs.withFiles(digests, (fileOf) => {
        const rest = others.map((each) => ({ file: fileOf(each.digest), mimeType: each.mimeType }));
        const source = { file: fileOf(digest), mimeType, others: rest };
        return inFreeProcess({ converter, ...source, parameters, folder, tools });
      });
    try {
      if (runsPrograms) {
        await mkdir(folder, { mode: ownerOnly.folder }).catch((error: unknown) => {
          throw asStoreError(error);
        });
      }
      return await store(await begunInTime(limit, work, maxWait));
    } finally {
      if (runsPrograms) await rm(folder, { recursive: true, force: true });
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
    close: async () => {
      isClosed = true;
      for (const one of all) one.end();
    },
  };
}
