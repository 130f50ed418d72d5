import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../src/automation/index.ts';
import { useServer } from '../../support/server.ts';
import { as, useUsers } from '../../support/users.ts';

const server = useServer();
useUsers(server, 'ann');

const restricted = operations.filter(({ isForAdministrators }) => isForAdministrators);

describe('§4.7 operations for administrators', () => {
  test('are there', () => {
    expect(restricted.length).toBeGreaterThan(1);
  });

  test.each(restricted.map(({ id }) => id))(
    '%s is 403 for others, whatever its parameters are',
    async (id) => {
      for (const params of [{}, { pageSize: 'x', query: 1, nothing: 1 }]) {
        const { body } = await as(server, 'ann')
          .post(`/api/v1/automation/${id}`)
          .send({ params })
          .expect(403);
        expect(body.message).toBe(`Only administrators can call ${id}; ann is not one.`);
      }
    },
  );
});
