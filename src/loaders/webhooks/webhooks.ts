import type { Webhook } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';

export type WebhookRow = Omit<Webhook, 'sealedSecret'>;

/** Reads the webhooks of the repository, oldest first. */
export const webhooksOf =
  ({ db, options }: Scope) =>
  (): Promise<WebhookRow[]> =>
    db.prisma.webhook.findMany({
      where: { repository: options.repository },
      omit: { sealedSecret: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
