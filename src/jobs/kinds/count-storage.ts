import { storageJob } from '../../loaders/blobs/storage.ts';
import type { Services } from '../../services.ts';
import { countStorage } from '../../store/blobs/count-storage.ts';
import type { JobKind } from '../job-runner.ts';

const [hour, day] = [3_600, 86_400];

/** Counts what the files of each repository take up, once a day and when an administrator requests it. */
export const countStorageDaily = (services: Services): JobKind => ({
  name: storageJob,
  maxConcurrent: 1,
  delays: [hour],
  every: day,
  run: async (_, signal) => {
    for (const repository of services.config.REPOSITORIES) {
      signal.throwIfAborted();
      await countStorage(services, repository);
    }
    return services.config.REPOSITORIES.length;
  },
});
