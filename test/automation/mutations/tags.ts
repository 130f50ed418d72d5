import { documentAfter, type Mutation, onDocumentWith, usual } from './mutation.ts';

const changing: Mutation = {
  ...usual,
  given: onDocumentWith({ tags: 'a' }),
  answers: ({ document }) => ({ uid: document?.uid, changeToken: '1-0' }),
  needs: { document: ['Read'] },
  refuses: [
    {
      given: onDocumentWith({ tags: ["' / %"] }),
      status: 400,
      message: /^tags: "' \/ %" is not a valid label$/,
    },
    { given: onDocumentWith({}), status: 400, message: /^tags is missing$/ },
    { given: () => ({ params: { tags: 'a' } }), status: 400, message: /accepts documents, not nothing\.$/ },
  ],
  records: [['documentTagUpdated', 'document']],
};

/** An operation that removes labels of its document. */
const removing: Mutation = {
  ...changing,
  make: documentAfter('Services.TagDocument', { tags: 'a,b' }),
  answers: ({ document }) => ({ uid: document?.uid, changeToken: '2-0' }),
  needs: { document: ['Write'] },
};

/** Operations that write labels. */
export const tagMutations: Readonly<Record<string, Mutation>> = {
  'Services.RemoveDocumentTags': {
    ...removing,
    given: usual.given,
    answers: ({ document }) => ({ uid: document?.uid, properties: { 'nxtag:tags': [] } }),
    refuses: [{ given: () => ({}), status: 400, message: /accepts documents, not nothing\.$/ }],
  },
  'Services.TagDocument': changing,
  'Services.UntagDocument': {
    ...removing,
    answers: ({ document }) => ({ uid: document?.uid, properties: { 'nxtag:tags': [{ label: 'b' }] } }),
  },
};
