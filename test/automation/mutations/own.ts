import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { by, type Mutation, onDocument, onDocumentWith, type Places, sameDocument } from './mutation.ts';

/** An operation that needs only Read on its document. */
const reading = {
  make: async (server: TestServer): Promise<Places> => ({ document: await createDocument(server) }),
  given: onDocument,
  answers: sameDocument,
  needs: { document: ['Read'] },
} as const;

const givenNothing: Mutation['refuses'][number] = {
  given: () => ({}),
  status: 400,
  message: /accepts documents, not nothing\.$/,
};

const subscribing: Mutation = {
  ...reading,
  refuses: [
    {
      given: onDocumentWith({ notifications: ['Creation', 'Weather'] }),
      status: 400,
      message: /^notifications: Weather does not exist\. The notifications are Creation, /,
    },
    givenNothing,
  ],
  records: [],
};

/** An operation that creates something for the caller: `make` deletes it again and leaves its ancestors. */
const madeForCaller = (operation: string) =>
  ({
    make: async (server: TestServer) => {
      await by(server, 'Document.Delete', await by(server, operation, undefined));
      return {};
    },
    given: () => ({}),
    needs: {},
    refuses: [{ given: () => ({ params: { name: '\0' } }), status: 400, message: /NUL/ }],
    isNeverQuiet: true,
  }) as const;

/** Operations on documents and settings of the caller. */
export const ownMutations: Readonly<Record<string, Mutation>> = {
  'Document.AddToFavorites': {
    ...reading,
    make: async (server) => {
      await by(server, 'Favorite.Fetch', undefined);
      return reading.make(server);
    },
    refuses: [
      {
        given: () => ({ input: '/default-domain' }),
        status: 400,
        message: /^Documents of type Domain cannot be in a collection\.$/,
      },
      givenNothing,
    ],
    records: [['addedToCollection', 'document']],
  },
  'Document.RemoveFromFavorites': {
    ...reading,
    make: async (server) => {
      const { document } = await reading.make(server);
      return { document: await by(server, 'Document.AddToFavorites', document) };
    },
    refuses: [givenNothing],
    records: [['removedFromCollection', 'document']],
  },
  'Document.Subscribe': subscribing,
  'Document.Unsubscribe': subscribing,
  'Favorite.Fetch': {
    ...madeForCaller('Favorite.Fetch'),
    answers: () => ({
      type: 'Favorites',
      path: '/default-domain/UserWorkspaces/Administrator/Favorites',
    }),
    records: [['documentCreated', 'answer']],
  },
  'User.GetUserWorkspace': {
    ...madeForCaller('User.GetUserWorkspace'),
    answers: () => ({ type: 'Workspace', path: '/default-domain/UserWorkspaces/Administrator' }),
    records: [
      ['documentCreated', 'answer'],
      ['documentSecurityUpdated', 'answer'],
    ],
  },
};
