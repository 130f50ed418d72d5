import { randomBytes } from 'node:crypto';
import { v5 as uuid } from 'uuid';
import type { AfterListener } from '../../extension.ts';
import { extensions, type LoadedExtension } from '../../extensions/loaded.ts';
import type { Services } from '../../services.ts';
import { turnTrigger } from '../webhooks/trigger.ts';
import { sealWebhookSecret } from '../webhooks/webhook-secret.ts';

// A listener that runs after events is stored as a webhook whose URL names a function of this process. As for other
// webhooks, the database stores a delivery in the transaction of each event, and the queue delivers events in order,
// retries failed deliveries, and finally sets them aside.

const scheme = 'extension:';
const namespace = '6c1f0a52-6a4e-4f0e-9e0e-0a7f1d0f9b11';

const urlOf = (extension: string, listener: string): string => `${scheme}${extension}/${listener}`;

/** Whether a webhook is a listener of an extension. */
export const isListener = ({ url }: { readonly url: string }): boolean => url.startsWith(scheme);

/** The listener that the URL of a webhook names; undefined if no loaded extension has it. */
export function listenerAt(url: string): { extension: LoadedExtension; listener: AfterListener } | undefined {
  for (const extension of extensions())
    for (const listener of extension.after ?? [])
      if (urlOf(extension.name, listener.name) === url) return { extension, listener };
  return undefined;
}

/**
 * Stores the listeners of the loaded extensions for all repositories, and deletes the listeners of other extensions.
 */
export async function storeListeners({
  database,
  config,
  secrets,
}: Pick<Services, 'database' | 'config' | 'secrets'>): Promise<void> {
  const rows = config.REPOSITORIES.flatMap((repository) =>
    extensions().flatMap(({ name, after = [] }) =>
      after.map((listener) => {
        const url = urlOf(name, listener.name);
        const { events = [], types = [], path = null } = listener;
        const id = uuid(`${repository} ${url}`, namespace);
        return {
          repository,
          id,
          url,
          events: [...events],
          types: [...types],
          path,
          createdBy: `extension ${name}`,
        };
      }),
    ),
  );
  const { prisma } = database;
  const ids = rows.map(({ id }) => id);
  const removed = await prisma.webhook.deleteMany({
    where: { url: { startsWith: scheme }, id: { notIn: ids } },
  });
  for (const row of rows) {
    const { repository, id, createdBy: _, ...fields } = row;
    const update = { ...fields, isEnabled: true, error: null, disabledAt: null };
    const sealedSecret = sealWebhookSecret(secrets, randomBytes(24).toString('base64'));
    await prisma.webhook.createMany({ data: { ...row, sealedSecret }, skipDuplicates: true });
    await prisma.webhook.updateMany({ where: { repository, id }, data: update });
  }
  if (rows.length + removed.count > 0) await database.transaction(30, turnTrigger);
}
