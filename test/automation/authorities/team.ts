import type { TestServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';

/** Creates three users, two of them in a group. */
export async function createTeam(server: TestServer): Promise<void> {
  await createGroup(server, 'team');
  await createUser(server, 'bob', ['team']);
  await createUser(server, 'Bertha');
  await createUser(server, 'carl', ['team']);
  const change = (id: string, properties: object) =>
    server.request.put(`/api/v1/user/${id}`).send({ 'entity-type': 'user', id, properties }).expect(200);
  await change('bob', { firstName: 'Robert', lastName: 'Zed', email: 'bob@example.org' });
  await change('carl', { firstName: 'Carl', company: 'Acme' });
  const group = { 'entity-type': 'group', id: 'team', grouplabel: 'Our Team' };
  await server.request.put('/api/v1/group/team').send(group).expect(200);
}
