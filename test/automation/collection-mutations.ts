import { createDocument } from '../support/factories.ts';
import type { TestServer } from '../support/server.ts';
import { call } from './calls.ts';
import type { Given, Mutation, Places } from './mutations.ts';

const run = async ({ request }: TestServer, operation: string, given: Given) => {
  await call(request, operation, given).expect(200);
};

/** A document, another one, and a collection that holds both. */
async function collected(server: TestServer): Promise<Places> {
  const [document, other] = [await createDocument(server), await createDocument(server)];
  const collection = await createDocument(server, { type: 'Collection' });
  const params = { collection: collection.uid };
  await run(server, 'Document.AddToCollection', { input: [document.uid, other.uid], params });
  return { document, other, collection };
}

const onDocument = ({ document }: Places): Given => ({ input: document?.uid });
const sameDocument = ({ document }: Places) => ({ 'entity-type': 'document', uid: document?.uid });

/** What somebody does with a document who may read it. */
const reading = {
  make: async (server: TestServer): Promise<Places> => ({ document: await createDocument(server) }),
  given: onDocument,
  answers: sameDocument,
  needs: { document: ['Read'] },
} as const;

const uncollectable: Mutation['refuses'][number] = {
  given: () => ({ input: '/default-domain' }),
  status: 400,
  message: /^a document of type Domain cannot be in a collection$/,
};

const unknown: Mutation['refuses'][number] = {
  given: ({ document }) => ({ input: document?.uid, params: { notifications: ['Weather'] } }),
  status: 400,
  message: /^notifications: Weather: is none of Creation, /,
};

/** Operations that write memberships and subscriptions. */
export const collectionMutations: Readonly<Record<string, Mutation>> = {
  'Document.AddToCollection': {
    ...reading,
    make: async (server) => ({
      document: await createDocument(server),
      collection: await createDocument(server, { type: 'Collection' }),
    }),
    given: ({ document, collection }) => ({
      input: document?.uid,
      params: { collection: collection?.uid },
    }),
    needs: { document: ['Read'], collection: ['WriteProperties'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid, params: { collection: document?.path } }),
        status: 400,
        message: /is no collection$/,
      },
      {
        given: ({ collection }) => ({ input: collection?.uid, params: { collection: collection?.uid } }),
        status: 400,
        message: /^a document of type Collection cannot be in a collection$/,
      },
    ],
    records: [['addedToCollection', 'document']],
  },
  'Document.AddToFavorites': {
    ...reading,
    make: async (server) => {
      await run(server, 'Favorite.Fetch', {});
      return reading.make(server);
    },
    refuses: [uncollectable],
    records: [['addedToCollection', 'document']],
  },
  'Document.MoveCollectionMember': {
    make: collected,
    given: ({ collection, other }) => ({ input: collection?.uid, params: { member1: other?.uid } }),
    answers: () => ({ 'entity-type': 'boolean', value: true }),
    needs: { other: ['Read'], collection: ['WriteProperties'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid, params: { member1: document?.uid } }),
        status: 400,
        message: /is no collection$/,
      },
    ],
    records: [],
  },
  'Document.RemoveFromFavorites': {
    ...reading,
    make: async (server) => {
      const places = await reading.make(server);
      await run(server, 'Document.AddToFavorites', onDocument(places));
      return places;
    },
    refuses: [{ given: () => ({}), status: 400, message: /takes documents, not nothing$/ }],
    records: [['removedFromCollection', 'document']],
  },
  'Document.Subscribe': { ...reading, refuses: [unknown], records: [] },
  'Document.Unsubscribe': { ...reading, refuses: [unknown], records: [] },
};
