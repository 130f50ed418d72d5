import { documentAfter, type Mutation, usual } from './mutation.ts';

/** Operations that change the state of a document. */
export const stateMutations: Readonly<Record<string, Mutation>> = {
  'Document.FollowLifecycleTransition': {
    ...usual,
    given: ({ document }) => ({ input: document?.uid, params: { value: 'approve' } }),
    answers: ({ document }) => ({ uid: document?.uid, state: 'approved' }),
    needs: { document: ['WriteLifeCycle'] },
    refuses: [
      {
        given: ({ document }) => ({ input: document?.uid, params: { value: 'fly' } }),
        status: 400,
        message:
          /^"fly" is not a transition\. The transitions are approve, obsolete, backToProject, delete, undelete\.$/,
      },
      {
        given: ({ document }) => ({ input: document?.uid, params: { value: 'backToProject' } }),
        status: 409,
        message:
          /^The transition backToProject is not possible in the state project\. Possible transitions: approve, obsolete, delete\.$/,
      },
    ],
    records: [['lifecycle_transition_event', 'document']],
  },
  'Document.Lock': {
    ...usual,
    needs: { document: ['WriteProperties'] },
    refuses: [{ given: () => ({}), status: 400, message: /accepts document, not nothing/ }],
    records: [['documentLocked', 'document']],
  },
  'Document.Unlock': {
    ...usual,
    make: documentAfter('Document.Lock'),
    needs: { document: ['Unlock'] },
    refuses: [{ given: () => ({ input: ['x', 1] }), status: 400, message: /input/ }],
    records: [['documentUnlocked', 'document']],
  },
};
