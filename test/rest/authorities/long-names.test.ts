import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { atGroup, atUser, postGroup, postUser, userBody } from './authority-requests.ts';

const server = useServer();
const { request } = server;

/** An index holds no text of this length that cannot be compressed. */
const long = randomBytes(6_000).toString('base64');

// §4.3, §4.4
test.each(['firstName', 'lastName'])(
  'a user whose %s is longer than 255 characters is 422',
  async (field) => {
    const { body } = await request
      .post('/api/v1/user')
      .send(userBody({ username: `long-${field}`, [field]: long }))
      .expect(422);
    expect(JSON.stringify(body)).toContain(field);
    const id = await postUser(server, { [field]: 'ü'.repeat(255) });
    await request
      .put(atUser(id))
      .send(userBody({ username: id, [field]: 'x'.repeat(256) }))
      .expect(422);
  },
);

test('so is a group with such a label', async () => {
  const group = { 'entity-type': 'group', groupname: 'long', grouplabel: long };
  await request.post('/api/v1/group').send(group).expect(422);
  await request
    .post('/api/v1/group')
    .send({ ...group, grouplabel: 'x'.repeat(255) })
    .expect(201);
});

test('longer names that are there already block no other change', async () => {
  const username = await postUser(server, {});
  const groupname = await postGroup(server, {});
  const [firstName, grouplabel] = ['x'.repeat(300), 'y'.repeat(300)];
  const { prisma } = server.database;
  await prisma.user.update({ where: { id: username }, data: { properties: { firstName } } });
  await prisma.group.update({ where: { id: groupname }, data: { properties: { grouplabel } } });
  const changed = userBody({ username, firstName, company: 'Acme' });
  const { body } = await request.put(atUser(username)).send(changed).expect(200);
  expect(body.properties).toMatchObject({ firstName, company: 'Acme' });
  const group = { 'entity-type': 'group', groupname, grouplabel, properties: { description: 'changed' } };
  await request.put(atGroup(groupname)).send(group).expect(200);
});
