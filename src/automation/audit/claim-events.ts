import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { recordClaims } from '../../store/audit/audit.ts';
import { documentAt } from '../documents/document-at.ts';

/** In characters. Limited because Read on a document is enough to write log entries about it. */
const maxLength = { name: 255, comment: 2000 };

function requireLength(name: string, value: string, max: number, min = 1): void {
  if (value.length < min) throw new Invalid(`${name}: is empty`);
  if (value.length > max) throw new Invalid(`${name}: ${value.length} characters, at most ${max}`);
}

interface Claim {
  /** The operation, which marks the entry as a claim of the caller. */
  readonly operation: string;
  /** The parameter that names the event. */
  readonly param: string;
  readonly eventId: string;
  readonly category?: string | undefined;
  readonly comment?: string | undefined;
}

/**
 * Writes a log entry about each document, or about none when there are no references.
 * @throws Invalid for texts that are empty or too long; NotFound; Forbidden, also for names of the server's own
 * events unless the caller is an administrator.
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
