import { describe, expect, test } from '@jest/globals';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
const run = calling(server);

describe('§4.7 scripts', () => {
  test.each(['RunScript', 'Context.RunScript', 'RunInputScript', 'RunFileScript', 'javascript.some_thing'])(
    'are not served: %s is 501',
    async (name) => {
      const message = `${name}: scripts are not supported.`;
      const { body } = await run(name, '/', { script: 'x' }).expect(501);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 501, message });
      const { body: inner } = await run('RunOperation', '/', { id: name }).expect(501);
      expect(inner.message).toBe(message);
      await server.request.post(`/api/v1/path/@op/${name}`).send({}).expect(501);
      await server.request.get(`/api/v1/automation/${name}`).expect(501);
      await server.request.post(`/api/v1/automation/${name}/@async`).send({}).expect(501);
      await server.anonymous.post(`/api/v1/automation/${name}`).send({}).expect(401);
    },
  );
});
