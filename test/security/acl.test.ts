import { describe, expect, test } from '@jest/globals';
import {
  type Ace,
  type Acl,
  aceId,
  aceStatus,
  block,
  effectiveEntries,
  entriesId,
  inheritedEntries,
  isBlock,
} from '../../src/security/acl.ts';
import { isGranted } from '../../src/security/evaluate.ts';

const ace = (username: string, permission = 'Read', rest: Partial<Ace> = {}): Ace => ({
  ...{ username, permission, granted: true, creator: null, begin: null, end: null },
  ...rest,
});
const acl = (name: string, ...aces: Ace[]): Acl => ({ name, aces });

const [past, now, future] = [
  '2024-01-01T00:00:00.000Z',
  '2024-06-01T12:00:00.500Z',
  '2025-01-01T00:00:00.000Z',
];

describe('§2.5 the id of an ACE', () => {
  test.each<[string, Ace]>([
    ['bob:Read:true:::', ace('bob')],
    ['bob:Read:false:jdoe::', ace('bob', 'Read', { granted: false, creator: 'jdoe' })],
    ['a:b:Read:true:::', ace('a:b')],
    ['bob:Read:true::1704067200000:1735689600000', ace('bob', 'Read', { begin: past, end: future })],
    ['Everyone:Everything:false:::', block],
  ])('%s', (id, of) => {
    expect(aceId(of)).toBe(id);
  });
});

describe('§3 the status of an ACE', () => {
  test.each([
    [null, null, 'effective'],
    [past, null, 'effective'],
    [null, future, 'effective'],
    [past, future, 'effective'],
    [now, now, 'effective'],
    [future, null, 'pending'],
    [future, future, 'pending'],
    [null, past, 'archived'],
    [past, past, 'archived'],
    [future, past, 'archived'], // whatever begin says
  ])('from %s to %s: %s', (begin, end, status) => {
    expect(aceStatus({ begin, end }, now)).toBe(status);
  });
});

describe('§2.5 the ACEs that count on a document', () => {
  const above = [ace('members'), ace('Administrator', 'Everything')];

  test('are its own, ACL by ACL, then those of its parent', () => {
    const own = [acl('routing/1', ace('ann')), acl('local', ace('bob'), ace('cem'))];
    const entries = effectiveEntries(own, above);
    expect(entries.map(({ username }) => username)).toEqual([
      'ann',
      'bob',
      'cem',
      'members',
      'Administrator',
    ]);
    expect(inheritedEntries(own, entries)).toEqual(above);
  });

  test('are those of its parent where it has none', () => {
    expect(effectiveEntries([], above)).toEqual(above);
    expect(inheritedEntries([], above)).toEqual(above);
  });

  test('end with a block, which itself counts', () => {
    const own = [acl('local', ace('bob'), block)];
    expect(effectiveEntries(own, above)).toEqual([ace('bob'), block]);
    expect(inheritedEntries(own, effectiveEntries(own, above))).toEqual([]);
  });

  test('end with a block before its other ACLs', () => {
    const own = [acl('routing/1', block), acl('local', ace('bob'))];
    expect(effectiveEntries(own, above)).toEqual([block]);
    expect(inheritedEntries(own, [block])).toEqual([]);
  });

  test.each([
    ['a permission less than Everything', ace('Everyone', 'Read', { granted: false })],
    ['somebody', ace('members', 'Everything', { granted: false })],
    ['a grant', ace('Everyone', 'Everything')],
    ['a begin', { ...block, begin: past }],
    ['an end', { ...block, end: future }],
  ])('do not end with %s', (_, last) => {
    expect(isBlock(last)).toBe(false);
    expect(effectiveEntries([acl('local', last)], above)).toHaveLength(3);
  });
});

describe('The id of effective ACEs', () => {
  test('is a UUID that says what they are, and in which order', () => {
    const [one, other] = [ace('a'), ace('b')];
    const id = entriesId([one, other]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(entriesId([{ ...one }, { ...other }])).toBe(id);
    expect(entriesId([other, one])).not.toBe(id);
  });

  test('is the same however the database orders the names', () => {
    const { username, ...rest } = ace('a', 'Read', { notify: true, comment: 'hello' });
    expect(entriesId([{ ...rest, username }])).toBe(entriesId([{ username, ...rest }]));
  });

  test.each<Partial<Ace>>([
    { username: 'b' },
    { permission: 'Write' },
    { granted: false },
    { creator: 'b' },
    { begin: past },
    { end: past },
    { notify: true },
    { comment: 'b' },
  ])('is another for %j', (change) => {
    expect(entriesId([{ ...ace('a'), ...change }])).not.toBe(entriesId([ace('a')]));
  });
});

describe('§2.5 what an ACE decides', () => {
  const bob = { names: new Set(['bob', 'staff', 'Everyone']), now };
  const denied = (username: string, permission: string) => ace(username, permission, { granted: false });

  test.each<[string, Ace[], boolean]>([
    ['without any, no', [], false],
    ['of somebody else, no', [ace('ann')], false],
    ['of the user, yes', [ace('bob')], true],
    ['of a group, yes', [ace('staff')], true],
    ['of Everyone, yes', [ace('Everyone')], true],
    ['of a permission that contains it, yes', [ace('bob', 'ReadWrite')], true],
    ['of Everything, yes', [ace('bob', 'Everything')], true],
    ['of a part of it, no', [ace('bob', 'ReadProperties')], false],
    ['the first that fits decides: no', [denied('staff', 'Read'), ace('bob')], false],
    ['the first that fits decides: yes', [ace('bob'), denied('staff', 'Read')], true],
    ['a denial of a part of it says nothing', [denied('bob', 'Browse'), ace('bob')], true],
    ['a denial of more denies it', [denied('bob', 'ReadWrite'), ace('bob')], false],
    [
      'one that is over says nothing',
      [denied('bob', 'Read'), ace('bob')].map((one, index) => ({ ...one, end: index === 0 ? past : null })),
      true,
    ],
    ['one to come says nothing', [ace('bob', 'Read', { begin: future })], false],
    ['one that has begun counts', [ace('bob', 'Read', { begin: past })], true],
  ])('%s', (_, entries, expected) => {
    expect(isGranted(entries, bob, 'Read')).toBe(expected);
  });
});
