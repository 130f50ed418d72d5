import { accountOf } from '../../loaders/authorities/account.ts';
import { principals } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { type PersonNews, personJob } from '../../store/notifications/find-notified.ts';
import { mailNews, type News, newsOf } from '../../store/notifications/news.ts';
import { finishJob } from '../../store/queue/take-jobs.ts';
import type { CallerRuns } from '../caller-runs.ts';
import type { JobKind } from '../job-runner.ts';

/** The number of seconds before each retry. */
const delays = [60, 600, 3_600] as const;

/**
 * Emails a person about the events that concern them. The email includes only events that the person is permitted to
 * see when the job runs.
 */
export const notifyPerson = (services: Services, { runAs }: CallerRuns): JobKind => ({
  name: personJob,
  maxConcurrent: 2,
  delays,
  run: async (job) => {
    const { user, repositories, isDigest = false, ...part } = job.payload as PersonNews;
    const { config, database } = services;
    const account = await accountOf(database, user, services);
    const [first] = repositories;
    if (!account || first === undefined) return undefined;
    const principal = principals(config.ADMIN_USERNAME)(account);
    // The work runs as a mutation, and thus on the primary, because a replica may not have the latest entries yet.
    const news: News[] = [];
    for (const repository of repositories)
      news.push(await runAs(principal, repository)('mutation', (context) => newsOf(context, part, isDigest)));
    return runAs(principal, first)('mutation', async (context) => {
      const isMailed = await mailNews(context, news, isDigest);
      // This call is part of the transaction that queues the email, so that a retry does not queue it again.
      await finishJob(context.db, job);
      return isMailed ? 1 : 0;
    });
  },
});
