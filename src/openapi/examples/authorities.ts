import type { Examples } from './example.ts';

const user = (properties: object) => ({ 'entity-type': 'user', id: 'ann', properties });
const group = (more: object) => ({ 'entity-type': 'group', id: 'editors', ...more });
const [ann, editors] = [{ user: 'ann' }, { group: 'editors' }];
const both = { parameters: { ...ann, ...editors } };
/** The path parameters of the access that a user granted to `{client}`. */
const granted = { parameters: { client: '{client}', user: 'Administrator' } };
const [elsewhere, camera] = [{ parameters: { provider: 'elsewhere' } }, { parameters: { client: 'camera' } }];
const provider = {
  'entity-type': 'nuxeoOAuth2ServiceProvider',
  clientId: 'quire',
  tokenServerURL: 'https://elsewhere.example.org/token',
};
const client = { 'entity-type': 'oauth2Client', name: 'Field Camera' };

export const authorityExamples: Examples = {
  getMe: {},
  login: {},
  getNotifications: {},
  changeNotifications: { body: { 'entity-type': 'notifications', byMail: false, language: 'fr' } },
  createUser: { body: user({ username: 'ann', firstName: 'Ann', password: 'a long password' }) },
  getUser: { parameters: ann },
  updateUser: { parameters: ann, body: user({ lastName: 'Smith' }) },
  getUsers: { parameters: { pageSize: 2 } },
  searchUsers: { parameters: { q: 'ann' } },
  createGroup: { body: group({ grouplabel: 'Editors' }) },
  getGroup: { parameters: editors },
  updateGroup: { parameters: editors, body: group({ memberUsers: ['ann'] }) },
  getGroups: { parameters: { pageSize: 2 } },
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
  getSessions: {},
  endSession: { parameters: { id: '{session}' } },
  createServiceProvider: { body: { ...provider, serviceName: 'elsewhere', isEnabled: true } },
  getServiceProviders: {},
  getServiceProvider: elsewhere,
  updateServiceProvider: { ...elsewhere, body: { ...provider, scopes: ['read', 'write'] } },
  deleteServiceProvider: elsewhere,
  createOAuth2Client: {
    body: { ...client, id: 'camera', redirectURIs: ['https://camera.example.org/back'] },
  },
  getOAuth2Clients: {},
  getOAuth2Client: camera,
  updateOAuth2Client: { ...camera, body: { ...client, isEnabled: false } },
  deleteOAuth2Client: camera,
  getAllGrants: {},
  getServiceTokens: {},
  getServiceTokensByKind: {},
  getGrants: {},
  getGrantsByKind: {},
  getGrant: granted,
  updateGrant: {
    ...granted,
    body: { 'entity-type': 'nuxeoOAuth2Token', creationDate: '2026-01-01T00:00:00Z' },
  },
  revokeGrant: granted,
  endCredentials: { parameters: ann },
  deleteGroup: { parameters: editors },
  deleteUser: { parameters: ann },
};

/** Examples that run last, because they change the caller's password. */
export const lastExamples: Examples = {
  changePassword: { body: { oldPassword: 'Administrator', newPassword: 'a long password' } },
};
