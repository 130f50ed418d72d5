import { call } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';
import type { Mutation } from './mutation.ts';

const directoryName = 'language';
let count = 0;
let made = '';

/** A new entry of a vocabulary for each call. */
async function makeEntry({ request }: TestServer) {
  count += 1;
  made = `language-${count}`;
  const params = { directoryName, entries: [{ id: made }] };
  await call(request, 'Directory.CreateEntries', { params }).expect(200);
  return {};
}

/** An operation on entries of a vocabulary. */
const onEntries = (
  entries: () => unknown,
  wrong: ReadonlyArray<readonly [entries: unknown, status: number, message: RegExp]>,
): Mutation => {
  const given = (params: object) => ({ params: { directoryName, entries: entries(), ...params } });
  const refused = (params: object, status: number, message: RegExp) => ({
    given: () => given(params),
    status,
    message,
  });
  return {
    make: makeEntry,
    given: () => given({}),
    answers: () => [made],
    needs: {},
    who: 'powerusers',
    refuses: [
      { given: () => ({}), status: 400, message: /^directoryName is missing; entries is missing$/ },
      refused({ directoryName: 'odd', entries: '[]' }, 404, /^Directory: odd does not exist\./),
      refused({ directoryName: 'userDirectory' }, 400, /Use the endpoints for users and groups/),
      refused({ entries: 'no JSON' }, 400, /^entries must be a list of .+ in JSON$/),
      refused({ entries: '{"id": "x"}' }, 400, /^entries must be a list of .+ in JSON$/),
      refused({ entries: Array(1001).fill(entries()).flat() }, 400, /^entries has more than 1000 items$/),
      ...wrong.map(([bad, status, message]) => refused({ entries: bad }, status, message)),
    ],
    records: [],
  };
};

/** Operations that write entries of directories. */
export const directoryMutations: Readonly<Record<string, Mutation>> = {
  'Directory.CreateEntries': {
    ...onEntries(
      () => [{ id: made, label: 'a' }],
      [
        [[{ label: 'a' }], 400, /^properties\.id is missing\.$/],
        [[{ id: 'new', odd: 1 }], 400, /^unknown property: /],
        [[{ id: 'new' }, { id: 'fr' }], 400, /^Entry with id fr already exists in directory language$/],
      ],
    ),
    make: async () => {
      count += 1;
      made = `language-${count}`;
      return {};
    },
  },
  'Directory.DeleteEntries': onEntries(
    () => [made],
    [
      [[made, 'odd'], 404, /^Entry not found$/],
      [[{ id: 'fr' }], 400, /^entries must be a list of ids in JSON$/],
    ],
  ),
  'Directory.UpdateEntries': onEntries(
    () => [{ id: made, label: 'b' }],
    [
      [[{ label: 'a' }], 400, /^entries: each entry must contain its "id"\.$/],
      [[{ id: 'odd' }], 404, /^Entry not found$/],
      [[{ id: 'fr', odd: 1 }], 400, /^unknown property: /],
      [[{ id: 'fr', ordering: 'x' }], 400, /ordering/],
    ],
  ),
};
