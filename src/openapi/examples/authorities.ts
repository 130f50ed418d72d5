import type { Examples } from './example.ts';

const user = (properties: object) => ({ 'entity-type': 'user', id: 'ann', properties });
const group = (more: object) => ({ 'entity-type': 'group', id: 'editors', ...more });
const [ann, editors] = [{ user: 'ann' }, { group: 'editors' }];
const both = { parameters: { ...ann, ...editors } };
/** `{client}` may do what its user granted it. */
const granted = { parameters: { client: '{client}', user: 'Administrator' } };

export const authorityExamples: Examples = {
  getMe: {},
  login: {},
  createUser: { body: user({ username: 'ann', firstName: 'Ann', password: 'a long password' }) },
  getUser: { parameters: ann },
  updateUser: { parameters: ann, body: user({ lastName: 'Smith' }) },
  searchUsers: { parameters: { q: 'ann' } },
  createGroup: { body: group({ grouplabel: 'Editors' }) },
  getGroup: { parameters: editors },
  updateGroup: { parameters: editors, body: group({ memberUsers: ['ann'] }) },
  searchGroups: { parameters: { q: 'editors' } },
  getUsersOfGroup: { parameters: editors },
  getGroupsOfGroup: { parameters: editors },
  addGroupToUser: both,
  removeGroupFromUser: both,
  addUserToGroup: both,
  removeUserFromGroup: both,
  createToken: {
    parameters: { application: 'Reader', deviceId: 'laptop', permission: 'rw' },
    gives: { token: '' },
  },
  getTokens: { gives: { tokenId: 'entries.0.id' } },
  deleteToken: { parameters: { id: '{tokenId}' } },
  getServiceProviders: {},
  getOAuth2Clients: {},
  getAllGrants: {},
  getServiceTokens: {},
  getGrants: {},
  getGrant: granted,
  revokeGrant: granted,
  endCredentials: { parameters: ann },
  deleteGroup: { parameters: editors },
  deleteUser: { parameters: ann },
};

/** Behind all others: the caller has another password then. */
export const lastExamples: Examples = {
  changePassword: { body: { oldPassword: 'Administrator', newPassword: 'a long password' } },
};
