import { timingSafeEqual } from 'node:crypto';
import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import type { ShareLink } from '../../generated/prisma/client.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import { isUuid } from '../../model/names.ts';

/** The parts of a sharing link that are needed to open it. */
export type OpenLink = Pick<ShareLink, 'id' | 'passwordHash' | 'endsAt'>;

const openLink = modelColumns('ShareLink', 'id', 'passwordHash', 'endsAt');

const byTokenQuery = statement('share-link-by-token', openLink)`
  SELECT id, password_hash AS "passwordHash", ends_at AS "endsAt" FROM share_link
  WHERE token_hash = $1 AND ends_at > now()`;

const byIdQuery = statement('share-link-by-id', openLink)`
  SELECT id, password_hash AS "passwordHash", ends_at AS "endsAt" FROM share_link WHERE id = $1 AND ends_at > now()`;

/** Returns the sharing link with the given token; undefined if it does not exist or has expired. */
export async function linkByToken(db: Pick<Client, 'query'>, token: string): Promise<OpenLink | undefined> {
  const [found] = await db.query(byTokenQuery, [tokenHash(token)]);
  return found;
}

/** Returns the sharing link with the given id; undefined if it does not exist or has expired. */
export async function linkById(db: Pick<Client, 'query'>, id: string): Promise<OpenLink | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await db.query(byIdQuery, [id]);
  return found;
}

/** Increases the counter of how often a link was opened. */
export async function countOpened({ prisma }: Pick<Client, 'prisma'>, id: string): Promise<void> {
  await prisma.shareLink.updateMany({
    where: { id },
    data: { opened: { increment: 1 }, lastOpenedAt: new Date() },
  });
}

/** The number of milliseconds after which a code expires, and after which another one can be requested. */
const codeLifetime = 10 * 60_000;
const codeInterval = 60_000;

/** The number of wrong codes after which a code becomes invalid. */
const maxWrongCodes = 5;

const isSharedQuery = statement('is-shared-with', { one: 'int4' })`
  SELECT 1 AS one FROM document_acl WHERE acls @> jsonb_build_array(jsonb_build_object(
    'aces', jsonb_build_array(jsonb_build_object('username', $1::text)))) LIMIT 1`;

/** Whether any document has an ACE for the guest. */
export const isShared = async (db: Pick<Client, 'query'>, guest: string): Promise<boolean> =>
  (await db.query(isSharedQuery, [guest])).length > 0;

/**
 * Replaces the code of a guest.
 * @returns whether the code was stored; false if the last one was sent less than a minute ago
 */
export async function storeCode(
  { prisma }: Pick<Client, 'prisma'>,
  guest: string,
  codeHash: string,
): Promise<boolean> {
  const sentAt = new Date();
  const before = await prisma.guestCode.findUnique({ where: { guest }, select: { sentAt: true } });
  if (before && sentAt.getTime() - before.sentAt.getTime() < codeInterval) return false;
  const data = { codeHash, attempts: 0, sentAt };
  await prisma.guestCode.upsert({ where: { guest }, create: { guest, ...data }, update: data });
  return true;
}

/** Checks a code and deletes it if it is correct, because a code can be used only once. Every attempt is counted. */
export async function redeemCode(
  { prisma }: Pick<Client, 'prisma'>,
  guest: string,
  codeHash: string,
): Promise<boolean> {
  const [stored] = await prisma.guestCode.updateManyAndReturn({
    where: { guest },
    data: { attempts: { increment: 1 } },
  });
  if (!stored || stored.attempts > maxWrongCodes) return false;
  if (Date.now() - stored.sentAt.getTime() > codeLifetime) return false;
  if (!timingSafeEqual(Buffer.from(stored.codeHash), Buffer.from(codeHash))) return false;
  const { count } = await prisma.guestCode.deleteMany({ where: { guest, codeHash } });
  return count === 1;
}

/** Deletes codes that were sent more than the given number of days ago. */
export const deleteOldGuestCodes = oldRowsDeletion({ table: 'guest_code', key: ['guest'], since: 'sent_at' });
