import type { Mutation } from './mutation.ts';

let count = 0;
const next = (kind: string): string => {
  count += 1;
  return `${kind}-${count}`;
};

/** An operation that creates or changes a user or a group: another one in each call. */
const onAuthority = (kind: 'user' | 'group'): Mutation => {
  const params = () => ({ [`${kind}name`]: next(kind) });
  return {
    make: async () => ({}),
    given: () => ({ params: params() }),
    answers: () => null,
    needs: {},
    who: 'administrators',
    refuses: [
      { given: () => ({}), status: 400, message: new RegExp(`^${kind}name: is missing$`) },
      { given: () => ({ params: { [`${kind}name`]: ' ' } }), status: 400, message: /./ },
      {
        given: () => ({ params: { ...params(), mode: 'replace' } }),
        status: 400,
        message: /^mode: is none of createOrUpdate, create, update$/,
      },
      {
        given: () => ({ params: { ...params(), mode: 'update' } }),
        status: 404,
        message: new RegExp(`^${kind} does not exist: `),
      },
      {
        given: () => ({ params: { ...params(), properties: { odd: 1 } } }),
        status: 400,
        message: /^unknown property: odd/,
      },
    ],
    records: [[`${kind}_created`, 'no document']],
    isNeverQuiet: true,
  };
};

/** Operations that write users and groups. */
export const authorityMutations: Readonly<Record<string, Mutation>> = {
  'Group.CreateOrUpdate': onAuthority('group'),
  'User.CreateOrUpdate': onAuthority('user'),
};
