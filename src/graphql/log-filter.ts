import { builder } from './builder.ts';

export const logFilterArguments = builder.args((t) => ({
  eventId: t.stringList({ description: 'Event names.' }),
  category: t.stringList({ description: 'Event categories.' }),
  principalName: t.stringList({ description: 'User names.' }),
  startEventDate: t.string({ description: 'The earliest time: a W3C date-time or a day (UTC).' }),
  endEventDate: t.string({
    description: 'The latest time: a W3C date-time or a day (UTC), which is included.',
  }),
}));
