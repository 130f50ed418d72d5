import { type Mutation, onDocumentWith, usual } from './mutation.ts';

const refused = (params: Record<string, unknown>, message: RegExp): Mutation['refuses'][number] => ({
  given: onDocumentWith(params),
  status: 400,
  message,
});

/** Operations that only write log entries. */
export const eventMutations: Readonly<Record<string, Mutation>> = {
  'Audit.LogEvent': {
    ...usual,
    given: onDocumentWith({ event: 'printed' }),
    needs: { document: ['Read'] },
    refuses: [
      refused({}, /^event is missing$/),
      refused({ event: '' }, /^event must not be empty\.$/),
      refused({ event: 'x'.repeat(256) }, /^event must have at most 255 characters; it has 256\.$/),
      refused({ event: 'x', category: '' }, /^category must not be empty\.$/),
      refused(
        { event: 'x', comment: 'x'.repeat(2001) },
        /^comment must have at most 2000 characters; it has 2001/,
      ),
      refused({ event: 'x\0' }, /NUL/),
    ],
    records: [['printed', 'document']],
    isNeverQuiet: true,
  },
  'Event.Fire': {
    ...usual,
    given: onDocumentWith({ name: 'printed' }),
    needs: { document: ['Read'] },
    refuses: [
      refused({}, /^name is missing$/),
      refused({ name: '' }, /^name must not be empty\.$/),
      refused({ name: 'x'.repeat(256) }, /^name must have at most 255 characters; it has 256\.$/),
      refused({ name: 'x\0' }, /NUL/),
    ],
    records: [['printed', 'document']],
    isNeverQuiet: true,
  },
  Log: {
    make: async () => ({}),
    given: () => ({ params: { message: 'hello' } }),
    answers: () => null,
    needs: {},
    refuses: [
      { given: () => ({}), status: 400, message: /^message is missing$/ },
      {
        given: () => ({ params: { message: 'hello', level: 'loud' } }),
        status: 400,
        message: /^level/,
      },
    ],
    records: [],
  },
};
