import { expect } from '@jest/globals';
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
      { given: () => ({}), status: 400, message: new RegExp(`^${kind}name is missing$`) },
      { given: () => ({ params: { [`${kind}name`]: ' ' } }), status: 400, message: /./ },
      {
        given: () => ({ params: { ...params(), mode: 'replace' } }),
        status: 400,
        message: /^mode must be one of createOrUpdate, create, update$/,
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

const guest = (properties: Record<string, unknown> = {}) => ({
  'entity-type': 'user',
  properties: { username: next('guest'), email: 'guest@example.org', ...properties },
});

const inviting = (properties: Record<string, unknown>, message: RegExp, status = 400) => ({
  given: () => ({ input: guest(properties) }),
  status,
  message,
});

const invite: Mutation = {
  make: async () => ({}),
  given: () => ({ input: guest() }),
  answers: () => ({ 'entity-type': 'string', value: expect.stringMatching(/^[\da-f-]{36}$/) }),
  needs: {},
  who: 'powerusers',
  refuses: [
    { given: () => ({}), status: 400, message: /^input: User.Invite accepts user, not nothing\.$/ },
    inviting({ email: null }, /^email: an invitation needs exactly one e-mail address$/),
    inviting({ email: 'a@example.org\r\nBcc: b@example.org' }, /^email: /),
    inviting(
      { password: 'secret' },
      /^password must not be set, because the invited user chooses the password$/,
    ),
    inviting({ username: 'Administrator' }, /^user already exists: Administrator$/, 409),
    inviting({ odd: 1 }, /^unknown property: odd/),
    {
      given: () => ({ input: guest(), params: { comment: 'x'.repeat(2001) } }),
      status: 400,
      message: /^comment must have at most 2000 characters; it has 2001/,
    },
  ],
  records: [['user_created', 'no document']],
  isNeverQuiet: true,
};

/** Operations that write users and groups. */
export const authorityMutations: Readonly<Record<string, Mutation>> = {
  'Group.CreateOrUpdate': onAuthority('group'),
  'User.CreateOrUpdate': onAuthority('user'),
  'User.Invite': invite,
};
