import { Invalid } from '../../errors.ts';
import type { ExtensionLogEntry } from '../../extension.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { isServerEvent } from '../../model/event-names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { recordClaims } from '../audit/audit.ts';

/** The maximum lengths in characters. Everybody who can read a document can read the entries about it. */
const max = { event: 255, comment: 2_000, details: 10_000 };

function requireLength(name: keyof typeof max, text: string): void {
  if (text.length > max[name])
    throw new Invalid(`${name} must have at most ${max[name]} characters; it has ${text.length}.`);
}

/**
 * Writes an extension's entry to the audit log.
 * @param document the document that the entry concerns
 * @throws Invalid for an event of the server itself, or a value that is too long
 */
export async function recordEntry(
  scope: Scope,
  { extension, application }: { readonly extension: string; readonly application: string | null },
  { event, comment, details = {} }: ExtensionLogEntry,
  document: DocumentRow | undefined,
): Promise<void> {
  if (event === '' || isServerEvent(event)) throw new Invalid(`event: "${event}" is not allowed.`);
  requireStorable([event, comment ?? null, details]);
  requireLength('event', event);
  requireLength('comment', comment ?? '');
  requireLength('details', JSON.stringify(details));
  const extended = { ...details, ...(application !== null && { application }) };
  const { repository } = scope.options;
  await recordClaims(scope, [
    { eventId: event, category: extension, comment, extended, ...(document ? { document } : { repository }) },
  ]);
}
