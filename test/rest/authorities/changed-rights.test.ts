import { describe, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { as, password } from '../../support/users.ts';
import { atGroup, atUser, groupBody, newName, postGroup, postUser, userBody } from './authority-requests.ts';

const server = useServer();

describe('§5 changed groups and passwords', () => {
  test('a user gains or loses the rights of direct and outer groups with the next call', async () => {
    const id = await postUser(server);
    const act = () =>
      as(server, id)
        .post('/api/v1/group')
        .send(groupBody({ id: newName() }));
    await act().expect(403);
    await server.request.post(atUser(id, '/group/powerusers')).expect(201);
    await act().expect(201);
    await server.request.delete(atGroup('powerusers', `/user/${id}`)).expect(200);
    await act().expect(403);
    const group = await postGroup(server, { memberUsers: [id] });
    const nest = (memberGroups: string[]) =>
      server.request
        .put(atGroup('powerusers'))
        .send(groupBody({ id: 'powerusers', memberGroups }))
        .expect(200);
    await nest([group]);
    await act().expect(201);
    await nest([]);
    await act().expect(403);
    await nest([group]);
    await act().expect(201);
    await server.request.delete(atGroup(group)).expect(204);
    await act().expect(403);
  });

  test('only the new password is accepted, and none after the user is deleted', async () => {
    const id = await postUser(server);
    const me = (password: string) => server.anonymous.get('/api/v1/me').auth(id, password);
    await me(password).expect(200);
    await server.request
      .put(atUser(id))
      .send(userBody({ password: 'new' }, { id }))
      .expect(200);
    await me(password).expect(401);
    await me('new').expect(200);
    await server.request
      .put(atUser(id))
      .send(userBody({ company: 'x' }, { id }))
      .expect(200);
    await me('new').expect(200);
    await server.request
      .put(atUser(id))
      .send(userBody({ password: null }, { id }))
      .expect(200);
    await me('new').expect(401);
    await server.request
      .put(atUser(id))
      .send(userBody({ password: 'newer' }, { id }))
      .expect(200);
    await me('newer').expect(200);
    await server.request.delete(atUser(id)).expect(204);
    await me('newer').expect(401);
  });
});
