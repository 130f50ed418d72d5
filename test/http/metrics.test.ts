import { describe, expect, test } from '@jest/globals';
import type { MetricSample } from '../../src/services.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann');

describe('/metrics', () => {
  test('counts requests by route, not by URL', async () => {
    await server.request.get('/api/v1/path/default-domain').expect(200);
    await server.request.get('/api/v1/path/default-domain/workspaces').expect(200);
    await server.request.get('/api/v1/path/nowhere').expect(404);
    const { text, headers } = await server.request.get('/metrics').expect(200);
    expect(headers['content-type']).toContain('text/plain');
    const count = 'http_request_duration_seconds_count{method="GET",route="/path{/*path}"';
    expect(text).toContain(`${count},status="200"} 2`);
    expect(text).toContain(`${count},status="404"} 1`);
    expect(text).toContain(
      'http_request_sql_statements_bucket{le="2",method="GET",route="/path{/*path}",status="200"} 2',
    );
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('workspaces');
  });

  test('counts password hashes', async () => {
    const hashes = async () => {
      const { text } = await server.request.get('/metrics').expect(200);
      return Number(/^password_hashes_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await hashes();
    await server.anonymous.get('/metrics').auth('Administrator', 'wrong').expect(401);
    expect(await hashes()).toBe(before + 1);
  });

  test('has a sample for each minute of the last hour, for administrators', async () => {
    const { metricHistory } = server;
    const query = '{ metricSamples { at requests failures meanMilliseconds memoryBytes waitingJobs } }';
    const samplesOf = async () =>
      (await askGraphql<{ metricSamples: MetricSample[] }>(server.request, query)).metricSamples;
    await metricHistory.take();
    expect(await samplesOf()).toEqual([]);
    for (let index = 0; index < 5; index += 1)
      await server.request.get('/api/v1/path/default-domain').expect(200);
    await metricHistory.take();
    const [sample] = await samplesOf();
    expect(sample).toMatchObject({ requests: 6, failures: 0, waitingJobs: 0 });
    expect(sample?.meanMilliseconds).toBeGreaterThan(0);
    expect(sample?.memoryBytes).toBeGreaterThan(10_000_000);
    for (let index = 0; index < 61; index += 1) await metricHistory.take();
    expect(await samplesOf()).toHaveLength(60);
    await ann.post('/graphql').send({ query }).expect(403);
  });

  test('needs credentials', async () => {
    await server.anonymous.get('/metrics').expect(401);
  });
});
