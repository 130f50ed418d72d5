import { builder } from './builder.ts';

export const logFilterArguments = builder.args((t) => ({
  eventId: t.stringList({ description: 'Event names.' }),
  category: t.stringList({ description: 'Event categories.' }),
  principalName: t.stringList({ description: 'User names.' }),
  startEventDate: t.string({ description: 'The first moment: a W3C date-time or a day (UTC).' }),
  endEventDate: t.string({
    description: 'The last moment: a W3C date-time, or a day, whose end is meant.',
  }),
}));
