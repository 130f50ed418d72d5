import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { contradictions } from '../store/consistency.ts';
import { start, type TestServer } from './server.ts';
import { as, createUser } from './users.ts';

/** What the tests of a file work with: the server, and somebody who is no administrator. */
interface Started {
  readonly server: TestServer;
  readonly bob: TestServer['request'];
}

/**
 * Sets a test file up: one server for all of its tests, after each of which whatever there is must fit together.
 * @param use keeps what was started.
 * @param groups those that bob is in.
 */
export function consistently(
  use: (started: Started) => void,
  { groups = [], settings = {} }: { groups?: readonly string[]; settings?: Record<string, string> } = {},
): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await start(settings);
    await createUser(server, 'bob', groups);
    use({ server, bob: as(server, 'bob') });
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    expect(await contradictions(server)).toEqual([]);
  });
}
