import { type ConversionPath, findConverter } from '../../converters/index.ts';
import { AppError, NotFound, Unavailable } from '../../errors.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { Services } from '../../services.ts';
import { finishJob } from '../../store/queue/take-jobs.ts';
import {
  conversionJob,
  type DueConversion,
  dueConversion,
  storeConversion,
} from '../../store/renditions/scheduled-conversions.ts';
import type { JobKind } from '../job-runner.ts';
import { unlessStopped } from '../unless-stopped.ts';

/**
 * Returns the one or two converters with the given names.
 * @throws NotFound if a converter that an earlier release scheduled no longer exists
 */
function pathOf(names: readonly string[]): ConversionPath {
  const [first, second] = names.map(findConverter);
  if (!first || (names.length > 1 && !second))
    throw new NotFound(`There is no converter "${names.join(' or ')}".`);
  return second ? [first, second] : [first];
}

/** Converts a file for a client that polls for the result (§10, `async=true`). */
export function convertFile({ database, jobConversions: conversions, blobs }: Services): JobKind {
  const made = async (
    { path, source, parameters }: DueConversion,
    signal: AbortSignal,
  ): Promise<StoredBlob | AppError> => {
    try {
      if ((await blobs.renew(source.digest)) === undefined) return new NotFound('The file no longer exists.');
      const converting = conversions.along(database, pathOf(path), source, { parameters });
      const found = await unlessStopped(signal, converting);
      return found ?? new NotFound(`The file cannot be converted by ${path.join(' and ')}.`);
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof Unavailable) throw error;
      return error;
    }
  };
  const idOf = ({ payload }: { readonly payload: unknown }) => (payload as { id: string }).id;
  return {
    name: conversionJob,
    maxConcurrent: 2,
    delays: [5, 60],
    run: async (job, signal) => {
      const id = idOf(job);
      const due = await dueConversion(database, id);
      const outcome = due && (await made(due, signal));
      await database.transaction(30, async (client) => {
        if (outcome) await storeConversion(client, id, outcome);
        await finishJob(client, job);
      });
      return 1;
    },
    onSetAside: (job) =>
      storeConversion(database, idOf(job), new Unavailable('The conversion failed. See the server log.')),
  };
}
