import { claimEvents } from '../../audit/claim-events.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

const id = 'Audit.LogEvent';

export const auditLogEvent = operation({
  id,
  aliases: ['Audit.Log'],
  label: 'Log Event In Audit',
  category: 'Services',
  description:
    'Writes a log entry about each input document, and returns the documents; requires Read. Only administrators can use the names of events that the server itself logs.',
  example: {
    input: '/default-domain/workspaces/report',
    params: { event: 'printed', comment: 'For the meeting' },
  },
  kind: 'mutation',
  takes: ['documents'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'documents',
  params: {
    event: text.required('The event id, at most 255 characters.'),
    category: text.withDefault('Automation', 'The category, at most 255 characters.'),
    comment: text.optional('The comment, at most 2000 characters.'),
  },
  run: async (context, documents, { event: eventId, ...entry }) => ({
    entries: await claimEvents(context, documents, { operation: id, param: 'event', eventId, ...entry }),
  }),
});
