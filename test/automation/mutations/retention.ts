import { documentAfter, type Mutation, onDocumentWith, usual } from './mutation.ts';

const until = '2999-12-31T00:00:00.000Z';

const nothing: Mutation['refuses'][number] = {
  given: () => ({}),
  status: 400,
  message: /accepts document, not nothing/,
};

/** Operations that retain a document. */
export const retentionMutations: Readonly<Record<string, Mutation>> = {
  'Document.Hold': {
    ...usual,
    given: onDocumentWith({ description: 'a trial' }),
    answers: () => ({ hasLegalHold: true, isUnderRetentionOrLegalHold: true }),
    needs: { document: ['ManageLegalHold'] },
    refuses: [nothing],
    records: [['afterSetLegalHold', 'document']],
  },
  'Document.MakeRecord': {
    ...usual,
    answers: () => ({ isRecord: true, isFlexibleRecord: false, retainedProperties: [] }),
    needs: { document: ['MakeRecord'] },
    refuses: [nothing],
    records: [['afterMakeRecord', 'document']],
  },
  'Document.SetRetention': {
    ...usual,
    given: onDocumentWith({ until }),
    answers: () => ({ retainUntil: until, isUnderRetentionOrLegalHold: true }),
    needs: { document: ['SetRetention'] },
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^until is missing$/ },
      { given: onDocumentWith({ until: 'soon' }), status: 400, message: /^until must be a W3C date-time$/ },
      {
        given: onDocumentWith({ until: '2001-02-03' }),
        status: 400,
        message: /^until must be in the future; got /,
      },
    ],
    records: [['afterSetRetention', 'document']],
  },
  'Document.Unhold': {
    ...usual,
    make: documentAfter('Document.Hold'),
    answers: () => ({ hasLegalHold: false, isUnderRetentionOrLegalHold: false }),
    needs: { document: ['ManageLegalHold'] },
    refuses: [nothing],
    records: [['afterRemoveLegalHold', 'document']],
  },
};
