import { builder } from '../../graphql/builder.ts';
import { browserName } from '../../loaders/tokens/browser-name.ts';
import type { SessionRow } from '../../loaders/tokens/sessions.ts';
import { endSession } from '../../store/tokens/sessions.ts';

const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A console session, which begins with a sign-in.',
  fields: (t) => ({
    id: t.exposeID('id'),
    username: t.exposeString('userId'),
    address: t.exposeString('address', { description: 'The IP address from which the user signed in.' }),
    browser: t.string({
      description:
        'The browser and operating system with which the user signed in, such as "Firefox, Windows".',
      resolve: ({ browser }) => browserName(browser),
    }),
    creationDate: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    lastUsed: t.string({
      description: 'The last use, up to two minutes late.',
      resolve: ({ lastUsedAt }) => lastUsedAt.toISOString(),
    }),
    endDate: t.string({
      description: 'The time at which the session expires unless it is ended earlier.',
      resolve: ({ endsAt }) => endsAt.toISOString(),
    }),
    isCurrent: t.boolean({
      description: 'Whether this request belongs to the session.',
      resolve: ({ id }, _, { user: { credential } }) =>
        credential !== undefined && 'session' in credential && credential.session === id,
    }),
  }),
});

const Sessions = builder.objectRef<readonly SessionRow[]>('Sessions').implement({
  description: "A user's sessions.",
  fields: (t) => ({ entries: t.field({ type: [Session], resolve: (rows) => [...rows] }) }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: Sessions,
    description: "The caller's console sessions, oldest first.",
    resolve: (_, __, { load }) => load.sessions(),
  }),
);

builder.mutationField('endSession', (t) =>
  t.id({
    description: 'Ends a console session and returns its id. Only for its user and for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      await endSession(context, id);
      return id;
    },
  }),
);
