import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { recordClaims } from '../../store/audit/audit.ts';
import { documentAt } from '../documents/document-at.ts';

/**
 * The maximum lengths in characters. They are low because anyone with Read permission on a document can write log
 * entries about it.
 */
const maxLength = { name: 255, comment: 2000 };

function requireLength(name: string, value: string, max: number, min = 1): void {
  if (value.length < min) throw new Invalid(`${name} must not be empty.`);
  if (value.length > max)
    throw new Invalid(`${name} must have at most ${max} characters; it has ${value.length}.`);
}

interface Claim {
  /**
   * The id of the operation. It is stored in the log entry to show that the entry was written by a caller, not by the
   * server itself.
   */
  readonly operation: string;
  /** The parameter that contains the event's name. */
  readonly param: string;
  readonly eventId: string;
  readonly category?: string | undefined;
  readonly comment?: string | undefined;
}

/**
 * Writes a log entry about each document, or a single entry if no documents are given.
 * @throws Invalid if a string is empty or too long; NotFound; Forbidden, for example if the event has the name of one
 * of the server's own events and the caller is not an administrator
 */
export async function claimEvents(
  context: Context,
  references: readonly DocumentReference[] | null,
  { operation, param, eventId, category, comment }: Claim,
): Promise<DocumentRow[]> {
  requireLength(param, eventId, maxLength.name);
  requireLength('category', category ?? 'none', maxLength.name);
  requireLength('comment', comment ?? '', maxLength.comment, 0);
  const documents = await Promise.all((references ?? []).map((each) => documentAt(context, each)));
  const event = { eventId, ...(category !== undefined && { category }), comment, extended: { operation } };
  await recordClaims(context, references ? documents.map((document) => ({ ...event, document })) : [event]);
  return documents;
}
