import { Invalid } from '../../errors.ts';
import { record } from '../../store/audit.ts';
import { documentAt } from '../document-at.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** Characters of a name, and of a comment: whoever may read a document may write here. */
const longest = { name: 255, comment: 2000 };

const id = 'Audit.LogEvent';

/** @throws Invalid on a text that is too long, or empty where it must not be. */
function requireLength(name: string, value: string, most: number, least = 1): void {
  if (value.length < least) throw new Invalid(`${name}: is empty`);
  if (value.length > most) throw new Invalid(`${name}: ${value.length} characters, at most ${most}`);
}

/** A log entry of one's own about the input (§2.6). */
export const auditLogEvent = operation({
  id,
  label: 'Log Event In Audit',
  category: 'Services',
  description: 'Leaves a log entry about each input document, and answers them; needs Read.',
  kind: 'mutation',
  takes: ['documents'],
  isOneForOne: true,
  gives: 'documents',
  params: {
    event: required(text, 'What happened, at most 255 characters.'),
    category: optionally(text, 'Automation', 'Of what kind, at most 255 characters.'),
    comment: optional(text, 'At most 2000 characters.'),
  },
  run: async (context, documents, { event: eventId, category, comment }) => {
    requireLength('event', eventId, longest.name);
    requireLength('category', category, longest.name);
    requireLength('comment', comment ?? '', longest.comment, 0);
    const entries = await Promise.all(documents.map((document) => documentAt(context, document)));
    // Anybody may say that anything happened: the entry tells that somebody said so.
    const extended = { operation: id };
    await record(
      context,
      entries.map((document) => ({ eventId, category, document, comment, extended })),
    );
    return { entries };
  },
});
