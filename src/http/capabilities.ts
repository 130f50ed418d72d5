import type { RequestHandler } from 'express';

/** `GET /capabilities`: existing clients choose their behaviour by it. */
export function capabilities(repositories: readonly string[], productVersion: string): RequestHandler {
  const answer = {
    'entity-type': 'capabilities',
    server: { distributionName: 'Quire', distributionVersion: productVersion, distributionServer: 'Quire' },
    cluster: { enabled: false, nodeId: '1' },
    repository: Object.fromEntries(repositories.map((name) => [name, { queryBlobKeys: false }])),
  };
  return (_, response) => {
    response.set('Cache-Control', 'private, no-cache').json(answer);
  };
}
