import { accountOf } from '../../loaders/authorities/account.ts';
import { principals } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { type PersonNews, personJob } from '../../store/notifications/find-notified.ts';
import { mailNews, type News, newsOf } from '../../store/notifications/news.ts';
import { finishJob } from '../../store/queue/take-jobs.ts';
import type { CallerRuns } from '../caller-runs.ts';
import type { JobKind } from '../job-runner.ts';

/** Seconds to wait before each retry. */
const delays = [60, 600, 3_600] as const;

/** Mails a person the events that concern them, as far as their permissions at the time of the job allow. */
export const notifyPerson = ({ config, database }: Services, { runAs }: CallerRuns): JobKind => ({
  name: personJob,
  maxConcurrent: 2,
  delays,
  run: async (job) => {
    const { user, repositories, ...part } = job.payload as PersonNews;
    const account = await accountOf(database, user);
    const [first] = repositories;
    if (!account || first === undefined) return undefined;
    const principal = principals(config.ADMIN_USERNAME)(account);
    // Read as a mutation, and thus from the primary, because a replica may lack the latest entries.
    const news: News[] = [];
    for (const repository of repositories)
      news.push(await runAs(principal, repository)('mutation', (context) => newsOf(context, part)));
    return runAs(principal, first)('mutation', async (context) => {
      const isMailed = await mailNews(context, news);
      await finishJob(context.db, job); // in the transaction of the mail, so that no retry sends it twice
      return isMailed ? 1 : 0;
    });
  },
});
