import type { Services } from '../../services.ts';
import { triggerJob, turnTrigger } from '../../store/webhooks/trigger.ts';
import type { JobKind } from '../job-runner.ts';

/** Turns the trigger that writes the deliveries of webhooks. */
export const turnWebhookTrigger = ({ database }: Services): JobKind => ({
  name: triggerJob,
  most: 1,
  delays: [10, 60, 600, 3_600, 21_600],
  run: async () => void (await database.transaction(30, turnTrigger)),
});
