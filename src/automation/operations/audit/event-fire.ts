import { claimEvents } from '../../audit/claim-events.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

const id = 'Event.Fire';

export const eventFire = operation({
  id,
  aliases: ['Notification.SendEvent'],
  label: 'Fire Event',
  category: 'Notification',
  description:
    'Writes a log entry about each input document, or a single entry if there is no input, and returns the documents; requires Read. Only administrators can use the names of events that the server itself logs.',
  example: { input: '/default-domain/workspaces/report', params: { name: 'printed' } },
  kind: 'mutation',
  takes: ['documents', 'void'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'documents',
  params: { name: text.required('The event id, at most 255 characters.') },
  run: async (context, documents, { name: eventId }) => {
    const entries = await claimEvents(context, documents, { operation: id, param: 'name', eventId });
    return documents && { entries };
  },
});
