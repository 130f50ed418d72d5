import type { RequestHandler } from 'express';

/**
 * `GET /json/cmis`: what existing clients ask when they connect, before they have credentials. They choose their
 * behaviour by the version.
 */
export function greeting(repositories: readonly string[], productVersion: string): RequestHandler {
  const product = { vendorName: 'Quire', productName: 'Quire', productVersion };
  const described = [...new Set(['default', ...repositories])].map((name) => [
    name,
    { repositoryId: name, repositoryName: name, ...product },
  ]);
  const answer = Object.fromEntries(described);
  return (_, response) => {
    response.set('Cache-Control', 'no-cache').json(answer);
  };
}
