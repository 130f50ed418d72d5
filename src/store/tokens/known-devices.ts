import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { browserName } from '../../loaders/tokens/browser-name.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { type Language, languageNamed } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Using } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { credentialEvent } from '../authorities/events.ts';
import { queueOwnMail } from '../mail/queue-mail.ts';

/** A sign-in with a form. */
export interface DeviceSignIn {
  readonly userId: string;
  /** The token in the browser's cookie, by which the browser is recognized. */
  readonly token: string;
  readonly address: string;
  /** The header User-Agent. */
  readonly browser: string;
  readonly language: Language;
}

type DeviceScope = { readonly db: Client } & Using<'config' | 'model' | 'secrets'>;

/**
 * Records the browser of a sign-in, and emails users who have not signed in with it before. Without SMTP_URL or an
 * email address, the new browser is only logged.
 */
export async function recordDevice(scope: DeviceScope, signIn: DeviceSignIn): Promise<void> {
  const { db, services } = scope;
  const { userId, address } = signIn;
  const [key, lastUsedAt] = [{ userId, tokenHash: tokenHash(signIn.token) }, new Date()];
  const { count } = await db.prisma.knownDevice.updateMany({ where: key, data: { lastUsedAt } });
  if (count > 0) return;
  await db.prisma.knownDevice.createMany({ data: [{ ...key, lastUsedAt }], skipDuplicates: true });
  const browser = browserName(signIn.browser);
  const audit = { db, services, user: { id: userId }, options: { comment: undefined } };
  await recordEvents(audit, [credentialEvent(userId, { created: 'device', browser, address })]);
  if (services.config.SMTP_URL === undefined) return;
  const user = await db.prisma.user.findUnique({
    where: { id: userId },
    select: { properties: true, language: true },
  });
  const email = (user?.properties as StoredProperties | undefined)?.email;
  if (typeof email !== 'string' || !isMailAddress(email)) return;
  const values = { user: userId, browser, address, time: `${lastUsedAt.toISOString().slice(0, 16)}Z` };
  const language = languageNamed(user?.language) ?? signIn.language;
  await queueOwnMail(scope, { to: [email], ...fillMailTemplate('newDevice', language, values) });
}

/** Deletes browsers that were not used for more than the given number of days. */
export const deleteOldDevices = oldRowsDeletion({
  table: 'known_device',
  key: ['user_id', 'token_hash'],
  since: 'last_used_at',
});
