import { randomUUID } from 'node:crypto';
import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { Forbidden, NotFound } from '../../errors.ts';
import { isUuid, truncateBytes } from '../../model/names.ts';
import type { Scope, Using } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { credentialEvent } from '../authorities/events.ts';

/** The maximum length in bytes of the stored User-Agent. */
const maxBrowser = 255;

/** A sign-in that begins a session. */
export interface SignIn {
  readonly userId: string;
  readonly address: string;
  /** The header User-Agent, which can be any text. */
  readonly browser: string;
  readonly endsAt: Date;
  /** The name of the identity provider or directory with which the user signed in, if any. */
  readonly provider?: string | undefined;
  /** The id of the session at an identity provider. When that session is deleted, so is this one. */
  readonly identitySessionId?: string | undefined;
}

/** Stores a new session. @returns its id */
export async function storeSession({ prisma }: Pick<Client, 'prisma'>, signIn: SignIn): Promise<string> {
  const browser = truncateBytes(signIn.browser.replaceAll('\0', '').toWellFormed(), maxBrowser);
  const [id, now] = [randomUUID(), new Date()];
  const { provider = null, identitySessionId = null } = signIn;
  await prisma.session.createMany({
    data: [{ ...signIn, provider, identitySessionId, id, browser, createdAt: now, lastUsedAt: now }],
  });
  return id;
}

/** Deletes a session that its user has signed out of; does nothing if it has already ended. */
export async function forgetSession(
  { prisma, announce }: Pick<Client, 'prisma' | 'announce'>,
  id: string,
): Promise<void> {
  const { count } = await prisma.session.deleteMany({ where: { id } });
  if (count > 0) await announce('principals');
}

/**
 * Ends a session. Only its user or an administrator can do this.
 * @throws NotFound, Forbidden
 */
export async function endSession(
  scope: Pick<Scope, 'db' | 'user' | 'options'> & Using<'model'>,
  id: string,
): Promise<void> {
  const { db, user } = scope;
  const [session] = isUuid(id) ? await db.prisma.session.findMany({ where: { id } }) : [];
  if (!session) throw new NotFound(`There is no session ${id}.`);
  if (session.userId !== user.id && !user.isAdministrator)
    throw new Forbidden(
      `The session ${id} belongs to another user. Only that user or an administrator can end it.`,
    );
  await forgetSession(db, id);
  await recordEvents(scope, [
    credentialEvent(session.userId, { ended: 'session', browser: session.browser }),
  ]);
}

/** Deletes sessions that ended more than the given number of days ago. */
export const deleteOldSessions = oldRowsDeletion({ table: 'session', key: ['id'], since: 'ends_at' });
