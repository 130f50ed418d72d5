import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';

const server = useServer();

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

  test('needs credentials', async () => {
    await server.anonymous.get('/metrics').expect(401);
  });
});
