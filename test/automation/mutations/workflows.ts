import { type Mutation, onDocumentWith, sameDocument, usual } from './mutation.ts';

export const workflowMutations: Readonly<Record<string, Mutation>> = {
  'Context.StartWorkflow': {
    ...usual,
    given: onDocumentWith({ id: 'SerialDocumentReview' }),
    answers: sameDocument,
    needs: { document: ['ReadWrite'] },
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^id: / },
      { given: onDocumentWith({ id: 'Nothing' }), status: 400, message: /Nothing/ },
      {
        given: onDocumentWith({ id: 'SerialDocumentReview', start: false }),
        status: 400,
        message: /^start: /,
      },
    ],
    records: [
      ['afterWorkflowStarted', 'document'],
      ['afterWorkflowTaskCreated', 'document'],
    ],
  },
};
