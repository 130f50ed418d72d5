import { Invalid } from '../../../errors.ts';
import { recordEvents } from '../../../store/audit/audit.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentsMutation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

/** In characters. Limited because Read on a document is enough to write log entries about it. */
const maxLength = { name: 255, comment: 2000 };

const id = 'Audit.LogEvent';

function requireLength(name: string, value: string, max: number, min = 1): void {
  if (value.length < min) throw new Invalid(`${name}: is empty`);
  if (value.length > max) throw new Invalid(`${name}: ${value.length} characters, at most ${max}`);
}

export const auditLogEvent = documentsMutation({
  id,
  label: 'Log Event In Audit',
  category: 'Services',
  description: 'Writes a log entry about each input document, and returns the documents; needs Read.',
  params: {
    event: text.required('The event id, at most 255 characters.'),
    category: text.withDefault('Automation', 'The category, at most 255 characters.'),
    comment: text.optional('At most 2000 characters.'),
  },
  run: async (context, documents, { event: eventId, category, comment }) => {
    requireLength('event', eventId, maxLength.name);
    requireLength('category', category, maxLength.name);
    requireLength('comment', comment ?? '', maxLength.comment, 0);
    const entries = await Promise.all(documents.map((document) => documentAt(context, document)));
    // Callers can claim any event: this marks the entry as a claim.
    const extended = { operation: id };
    await recordEvents(
      context,
      entries.map((document) => ({ eventId, category, document, comment, extended })),
    );
    return { entries };
  },
});
