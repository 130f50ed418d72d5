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

/** The file cannot be converted: the message says why. */
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

/** What a conversion made, in the blob store. */
interface StoredConversion {
  readonly mimeType: string;
  readonly digest: string;
  readonly length: number;
  readonly facts?: FileFacts;
}

/** Conversions of files, in processes of their own. */
export interface Conversions {
  /**
   * @param longestWait milliseconds until it begins, or never does.
   * @throws ConversionFailed; NotInstalled where only a program could convert the file; InvalidParameter for those that do not suit the file; Unavailable when too many
   * wait, or when it has waited too long.
   */
  convert(conversion: Conversion, longestWait?: number): Promise<StoredConversion>;
  /** Cuts off those under way: they are Unavailable. */
  close(): Promise<void>;
}

interface ConversionSettings {
  readonly blobs: Pick<BlobStore, 'write' | 'withFiles'>;
  readonly tools: Tools;
  /** Processes at once. */
  readonly processes?: number;
  /** Milliseconds that a process without work is kept. */
  readonly idle?: number;
}

/** What a conversion may take, unless its converter says otherwise. */
const usual = { seconds: 3.5, patience: 60 };

const mostMemory = 2 * 1024 ** 3; // bytes of a process

/** Conversions that may wait for a process. */
const mostWaiting = 200;

type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

const cutOff = () => new Unavailable('the server is stopping');

const tooMany = () => new Unavailable('too many files wait to be converted');

/** Work in its turn; when that does not come in time, it is refused, and never begins. */
function begunInTime<Result>(
  limit: Limit,
  work: () => Promise<Result>,
  longestWait?: number,
): Promise<Result> {
  if (longestWait === undefined) return limit(work);
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(tooMany());
    }, longestWait);
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

/** Two conversions run at once by default, whatever asks for them; the others wait for their turn. */
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
        throw new NotInstalled(`${fault} ${programTitle(program)} could, which is not installed here.`);
      throw parameter === undefined ? new ConversionFailed(fault) : new InvalidParameter(parameter, fault);
    }
    const { converted } = outcome;
    const { mimeType, facts } = converted;
    return { mimeType, ...(await blobs.write(bytesOf(converted))), ...(facts && { facts }) };
  };
  const inFreeProcess = async (order: Order): Promise<Outcome> => {
    if (isClosed) throw cutOff();
    const one = free.pop();
    if (!one) throw new Error('as many processes are free as may work');
    try {
      const { seconds, patience } = { ...usual, ...findConverter(order.converter) };
      const outcome = await one.run(order, { seconds, patience, memory: mostMemory });
      if (isClosed) throw cutOff(); // which is no fault of the file
      return outcome;
    } finally {
      free.push(one);
    }
  };
  // A process has its next file while the result of the one before is still being stored.
  const run = async (
    { converter, digest, mimeType, others = [], parameters = {} }: Conversion,
    longestWait?: number,
  ): Promise<StoredConversion> => {
    const folder = join(tmpdir(), `quire-${randomUUID()}`);
    const { needs = [], mayUse = [] } = findConverter(converter) ?? {};
    const runsPrograms = [...needs, ...mayUse].some((program) => tools.paths[program] !== undefined);
    // Programs take long: a process is left for other conversions.
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
      return await store(await begunInTime(limit, work, longestWait));
    } finally {
      if (runsPrograms) await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    convert: (conversion, longestWait) => {
      const key = JSON.stringify([conversion, longestWait]);
      const same = underWay.get(key);
      if (same) return same;
      if (underWay.size >= processes + mostWaiting) throw tooMany();
      const converting = run(conversion, longestWait).finally(() => underWay.delete(key));
      underWay.set(key, converting);
      return converting;
    },
    close: async () => {
      isClosed = true;
      for (const one of all) one.end();
    },
  };
}
