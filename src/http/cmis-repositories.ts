import type { RequestHandler } from 'express';

/** `GET /json/cmis`: clients request it when they connect, and adapt their behaviour to the product version. */
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
