import type { RequestHandler } from 'express';

/**
 * Serves `GET /json/cmis`. Clients request it when they connect, to adapt their behavior to the product version.
 */
export function cmisRepositories(repositories: readonly string[], productVersion: string): RequestHandler {
  const product = { vendorName: 'Quire', productName: 'Quire', productVersion };
  const entries = [...new Set(['default', ...repositories])].map((name) => [
    name,
    { repositoryId: name, repositoryName: name, ...product },
  ]);
  const answer = Object.fromEntries(entries);
  return (_, response) => {
    response.set('Cache-Control', 'no-cache').json(answer);
  };
}
