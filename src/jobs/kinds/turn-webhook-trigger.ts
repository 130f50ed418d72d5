import type { Services } from '../../services.ts';
import { triggerJob, turnTrigger } from '../../store/webhooks/trigger.ts';
import type { JobKind } from '../job-runner.ts';

/**
 * Enables the database trigger that creates webhook deliveries if at least one webhook is enabled. Otherwise, disables
 * it.
 */
export const turnWebhookTrigger = ({ database }: Services): JobKind => ({
  name: triggerJob,
  maxConcurrent: 1,
  delays: [10, 60, 600, 3_600, 21_600],
  run: async () => void (await database.transaction(30, turnTrigger)),
});
