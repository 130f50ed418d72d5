import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../db/database.ts';
import { Invalid, NotFound } from '../../errors.ts';
import type { ShareLinkRow } from '../../loaders/shares/share-links.ts';
import { shareSeparator } from '../../loaders/shares/shares.ts';
import { tokenHash } from '../../loaders/tokens/token-hash.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { isUuid } from '../../model/names.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { isGuest, shownName } from '../../security/acl.ts';
import { addAces, removeAcesEverywhere, setAces } from '../../security/change-acls.ts';
import {
  linkAddress,
  type ShareMode,
  shareAclName,
  shareModes,
  sharePermissions,
} from '../../security/share.ts';
import { guest, readAce } from '../acls/aces.ts';
import { changeAcls } from '../acls/change-acls.ts';
import { newPasswordHash } from '../authorities/passwords.ts';

/** The default lifetime of a link, in milliseconds. */
const defaultLifetime = 30 * 86_400_000;

/** The maximum number of characters of a password. */
const maxPassword = 200;

/** The name that ACEs use for the guest of a link. */
export const linkGuest = (link: string): string => guest(linkAddress(link));

/** The fields of a new link. */
export interface NewShareLink {
  /** The mode of the link; `read` if absent. */
  readonly mode?: string | null | undefined;
  /** The time at which the link expires, in ISO 8601; 30 days from now if absent. */
  readonly end?: string | null | undefined;
  readonly password?: string | null | undefined;
}

/** A new link along with its token, which only the response to its creation contains. */
export type CreatedShareLink = ShareLinkRow & { readonly token: string };

function readMode(mode: string | null | undefined): ShareMode {
  const found = shareModes.find((known) => known === (mode ?? 'read'));
  if (!found)
    throw new Invalid(`mode must be one of ${shareModes.join(', ')}; got "${String(mode).slice(0, 80)}".`);
  return found;
}

/**
 * Parses the time at which a link expires, and truncates it to whole seconds, like the times of ACEs.
 * @throws Invalid for a time in the past
 */
function readEnd(end: string | null | undefined): string {
  const time = end ? readDate(end, 'end') : new Date(Date.now() + defaultLifetime).toISOString();
  if (Date.parse(time) <= Date.now()) throw new Invalid(`end must be in the future; got ${time}.`);
  return `${time.slice(0, 19)}.000Z`;
}

/** @throws Invalid */
function readPassword(password: string | null | undefined): string | undefined {
  if (password === null || password === undefined || password === '') return undefined;
  requireStorable(password);
  if (password.length > maxPassword)
    throw new Invalid(`password must have at most ${maxPassword} characters; got ${password.length}.`);
  return password;
}

/**
 * Creates a link to a document. A separate ACL grants the permissions to the guest of the link.
 * @throws NotFound; Forbidden without WriteSecurity; Invalid for a version, for an unknown mode or an invalid end, and
 * for uploads to a document that cannot have children
 */
export async function createShareLink(
  scope: Scope,
  reference: DocumentReference,
  input: NewShareLink,
): Promise<CreatedShareLink> {
  const { db, services, user } = scope;
  const [mode, end, password] = [readMode(input.mode), readEnd(input.end), readPassword(input.password)];
  const passwordHash = password === undefined ? null : await newPasswordHash(db, password);
  const [id, token] = [randomUUID(), randomBytes(24).toString('base64url')];
  const aces = sharePermissions[mode].map((permission) =>
    readAce(linkGuest(id), { permission, end }, user.id),
  );
  const document = await changeAcls(scope, reference, addAces(shareAclName(id), aces));
  if (mode === 'upload' && !facetsOf(services.model, document).includes('Folderish'))
    throw new Invalid(`mode: the document ${document.id} is not a folder, so nothing can be uploaded to it.`);
  const {
    passwordHash: hash,
    tokenHash: _,
    ...row
  } = await db.prisma.shareLink.create({
    data: {
      id,
      repository: document.repository,
      documentId: document.id,
      mode,
      tokenHash: tokenHash(token),
      passwordHash,
      endsAt: new Date(end),
      createdBy: user.id,
    },
  });
  return { ...row, hasPassword: hash !== null, token };
}

/**
 * Deletes a link. From then on, sessions of its guest have no access.
 * @returns its id
 * @throws NotFound; Forbidden without WriteSecurity on the document
 */
export async function deleteShareLink(scope: Scope, id: string): Promise<string> {
  const where = { id, repository: scope.options.repository };
  const found = isUuid(id) ? await scope.db.prisma.shareLink.findUnique({ where }) : null;
  if (!found) throw new NotFound(`There is no link ${id.slice(0, 80)}.`);
  await changeAcls(scope, { id: found.documentId }, setAces(shareAclName(id), []));
  await scope.db.prisma.shareLink.deleteMany({ where });
  return id;
}

const linksPerPage = 500;

/** Reads the links that ended more than the given number of days ago, in batches, ordered by id. */
export async function* endedShareLinks(
  { prisma }: Pick<Client, 'prisma'>,
  days: number,
): AsyncGenerator<{ readonly id: string; readonly repository: string }> {
  const endsAt = { lt: new Date(Date.now() - days * 86_400_000) };
  const pageAfter = (id: string | undefined) =>
    prisma.shareLink.findMany({
      where: { endsAt, ...(id !== undefined && { id: { gt: id } }) },
      select: { id: true, repository: true },
      orderBy: { id: 'asc' },
      take: linksPerPage,
    });
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(after);
    yield* page;
    [after, isLast] = [page.at(-1)?.id, page.length < linksPerPage];
  }
}

/**
 * Ends what a link or the guest of a document can open.
 * @param id the id of an entry in the list of shares
 * @returns the id
 * @throws NotFound; Forbidden without WriteSecurity on the document
 */
export async function revokeShare(scope: Scope, id: string): Promise<string> {
  const at = id.indexOf(shareSeparator);
  if (at < 0) return deleteShareLink(scope, id);
  const [documentId, name] = [id.slice(0, at), id.slice(at + 1)];
  if (!isGuest(name)) throw new NotFound(`There is no guest ${id.slice(0, 200)}.`);
  await changeAcls(scope, { id: documentId }, (acls) => {
    const after = removeAcesEverywhere(name)(acls);
    if (isDeepStrictEqual(after, acls))
      throw new NotFound(`The document ${documentId} is not shared with ${shownName(name).slice(0, 200)}.`);
    return after;
  });
  return id;
}
