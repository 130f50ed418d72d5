import { describe, expect, test } from '@jest/globals';
import {
  type Ace,
  aceId,
  aceStatus,
  blockAce,
  effectiveEntries,
  entriesId,
  inheritedEntries,
  isBlock,
  type NamedAcl,
} from '../../src/security/acl.ts';
import { isGranted } from '../../src/security/evaluate.ts';

const ace = (username: string, permission = 'Read', rest: Partial<Ace> = {}): Ace => ({
  username,
  permission,
  granted: true,
  creator: null,
  begin: null,
  end: null,
  ...rest,
});
const acl = (name: string, ...aces: Ace[]): NamedAcl => ({ name, aces });

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
    ['Everyone:Everything:false:::', blockAce],
  ])('%s', (id, of) => {
    expect(aceId(of)).toBe(id);
  });
});

describe('§3 the status of an ACE on 2024-06-01', () => {
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
    [future, past, 'archived'], // whatever begin is
  ])('from %s to %s it is %s', (begin, end, status) => {
    expect(aceStatus({ begin, end }, now)).toBe(status);
  });
});

describe('§2.5 the effective ACEs of a document', () => {
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

  test('are those of its parent if it has none', () => {
    expect(effectiveEntries([], above)).toEqual(above);
    expect(inheritedEntries([], above)).toEqual(above);
  });

  test('end with a block, which is one of them', () => {
    const own = [acl('local', ace('bob'), blockAce)];
    expect(effectiveEntries(own, above)).toEqual([ace('bob'), blockAce]);
    expect(inheritedEntries(own, effectiveEntries(own, above))).toEqual([]);
  });

  test('end with a block, without the ACLs after it', () => {
    const own = [acl('routing/1', blockAce), acl('local', ace('bob'))];
    expect(effectiveEntries(own, above)).toEqual([blockAce]);
    expect(inheritedEntries(own, [blockAce])).toEqual([]);
  });

  test.each([
    ['a denial of less than Everything', ace('Everyone', 'Read', { granted: false })],
    ['a denial for a group', ace('members', 'Everything', { granted: false })],
    ['a grant', ace('Everyone', 'Everything')],
    ['a begin', { ...blockAce, begin: past }],
    ['an end', { ...blockAce, end: future }],
  ])('do not end with %s', (_, last) => {
    expect(isBlock(last)).toBe(false);
    expect(effectiveEntries([acl('local', last)], above)).toHaveLength(3);
  });
});

describe('§4.7 the ACEs of comments on a version', () => {
  const denied = { granted: false };
  const time = { creator: 'ann', begin: future, end: null, notify: true, comment: 'soon' };
  const below = (...above: Ace[]): readonly Ace[] => effectiveEntries([], above, true);

  test.each(['ReadVersion', 'Version'])('have Read for %s, without ReadSecurity', (permission) => {
    expect(below(ace('bob', permission, time), ace('bob', permission, denied), blockAce)).toEqual([
      ace('bob', 'ReadSecurity', { ...time, ...denied }),
      ace('bob', 'Read', time),
      ace('bob', 'Read', denied),
      blockAce,
    ]);
  });

  test('follow those of the comment, up to a block', () => {
    const own = [acl('local', ace('cem', 'ReadVersion'))];
    const entries = effectiveEntries(own, [ace('bob', 'ReadVersion')], true);
    expect(inheritedEntries(own, entries)).toEqual([ace('bob', 'ReadSecurity', denied), ace('bob')]);
    expect(effectiveEntries([acl('local', blockAce)], [ace('bob', 'ReadVersion')], true)).toEqual([blockAce]);
  });

  const bob = { names: new Set(['bob', 'Everyone']), now };
  test.each<[string, Ace[], isReader: boolean, seesAcl: boolean]>([
    ['ReadVersion', [ace('bob', 'ReadVersion')], true, false],
    ['ReadVersion of Everyone', [ace('Everyone', 'ReadVersion')], true, false],
    ['ReadVersion and more later', [ace('bob', 'ReadVersion'), ace('bob', 'Everything')], true, false],
    ['ReadVersion and more before', [ace('bob', 'Read'), ace('bob', 'ReadVersion')], true, true],
    ['ReadSecurity before', [ace('bob', 'ReadSecurity'), ace('bob', 'ReadVersion')], true, true],
    ['pending', [ace('bob', 'ReadVersion', { begin: future }), ace('bob', 'Read')], true, true],
    ['archived', [ace('Everyone', 'Version', { end: past }), ace('bob', 'Read')], true, true],
    ['archived alone', [ace('bob', 'Version', { end: past })], false, false],
    ['denied before', [ace('Everyone', 'ReadVersion', denied), ace('bob', 'Version')], false, false],
    ['denied later', [ace('bob', 'Version'), ace('bob', 'ReadVersion', denied)], true, false],
    ['of another user', [ace('cem', 'ReadVersion'), ace('bob', 'Read')], true, true],
    ['behind a block', [blockAce, ace('bob', 'ReadVersion')], false, false],
  ])('decide: %s', (_, above, isReader, seesAcl) => {
    const entries = below(...above);
    expect(isGranted(entries, bob, 'Read')).toBe(isReader);
    expect(isGranted(above, bob, 'ReadVersion')).toBe(isReader);
    expect(isGranted(entries, bob, 'ReadSecurity')).toBe(seesAcl);
  });
});

describe('the id of effective ACEs', () => {
  test('is a UUID derived from the ACEs and their order', () => {
    const [one, other] = [ace('a'), ace('b')];
    const id = entriesId([one, other]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(entriesId([{ ...one }, { ...other }])).toBe(id);
    expect(entriesId([other, one])).not.toBe(id);
  });

  test('does not depend on the order of their keys', () => {
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
  ])('differs for %j', (change) => {
    expect(entriesId([{ ...ace('a'), ...change }])).not.toBe(entriesId([ace('a')]));
  });
});

describe('§2.5 the grant of Read by ACEs', () => {
  const bob = { names: new Set(['bob', 'staff', 'Everyone']), now };
  const denied = (username: string, permission: string) => ace(username, permission, { granted: false });

  test.each<[string, Ace[], boolean]>([
    ['no ACE does not grant it', [], false],
    ['a grant to another user does not grant it', [ace('ann')], false],
    ['a grant to the user grants it', [ace('bob')], true],
    ['a grant to a group of the user grants it', [ace('staff')], true],
    ['a grant to Everyone grants it', [ace('Everyone')], true],
    ['a permission that contains Read grants it', [ace('bob', 'ReadWrite')], true],
    ['Everything grants it', [ace('bob', 'Everything')], true],
    ['a part of Read does not grant it', [ace('bob', 'ReadProperties')], false],
    ['the first applicable ACE decides: a denial', [denied('staff', 'Read'), ace('bob')], false],
    ['the first applicable ACE decides: a grant', [ace('bob'), denied('staff', 'Read')], true],
    ['a denial of a part of Read is ignored', [denied('bob', 'Browse'), ace('bob')], true],
    ['a denial of more than Read denies it', [denied('bob', 'ReadWrite'), ace('bob')], false],
    [
      'an expired ACE is ignored',
      [denied('bob', 'Read'), ace('bob')].map((one, index) => ({ ...one, end: index === 0 ? past : null })),
      true,
    ],
    ['a pending ACE is ignored', [ace('bob', 'Read', { begin: future })], false],
    ['an ACE that has begun grants it', [ace('bob', 'Read', { begin: past })], true],
  ])('%s', (_, entries, expected) => {
    expect(isGranted(entries, bob, 'Read')).toBe(expected);
  });
});
