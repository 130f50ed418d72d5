import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';

const server = useServer();

describe('§4.7 POST /automation/login', () => {
  test('answers with the caller and the caller’s groups, without a body', async () => {
    const response = await server.request.post('/api/v1/automation/login').expect(200);
    expect(response.body).toEqual({
      'entity-type': 'login',
      username: 'Administrator',
      isAdministrator: true,
      groups: ['administrators'],
    });
    expect(response.headers['content-type']).toContain('nuxeo-entity=login');
    expect(statements(await server.request.post('/api/v1/automation/login'))).toBe(0);
  });

  test('answers with inherited groups at the older address, too', async () => {
    await createGroup(server, 'readers', ['members']);
    await createUser(server, 'jdoe', ['readers']);
    const { body } = await as(server, 'jdoe').post('/site/automation/login').send({}).expect(200);
    expect(body).toEqual({
      'entity-type': 'login',
      username: 'jdoe',
      isAdministrator: false,
      groups: ['members', 'readers'],
    });
  });

  test('answers 401 without valid credentials', async () => {
    await server.anonymous.post('/api/v1/automation/login').expect(401);
    await server.anonymous.post('/api/v1/automation/login').auth('Administrator', 'wrong').expect(401);
  });
});
