import type { Mutation } from './mutation.ts';

const none = "SELECT * FROM Document WHERE ecm:name = 'no-such'";

const refused = (params: Record<string, unknown>, message: RegExp): Mutation['refuses'][number] => ({
  given: () => ({ params }),
  status: 400,
  message,
});

/** Operations whose work is done later, with the rights of the caller for each document. */
export const bulkMutations: Readonly<Record<string, Mutation>> = {
  'Bulk.RunAction': {
    make: async () => ({}),
    given: () => ({ params: { action: 'trash', query: none } }),
    answers: () => ({ 'entity-type': 'bulkStatus', action: 'trash', state: 'SCHEDULED' }),
    needs: {},
    refuses: [
      refused({ query: none }, /^action is missing$/),
      refused({ action: 'fly', query: none }, /^There is no bulk action fly\./),
      refused({ action: 'trash' }, /^query: a bulk action needs a query or a page provider$/),
      refused({ action: 'trash', query: 'SELECT' }, /./),
      refused({ action: 'move', query: none }, /^target /),
    ],
    records: [],
  },
};
