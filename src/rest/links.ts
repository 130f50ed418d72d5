import { LRUCache } from 'lru-cache';
import type { BlobReference, Links } from '../scope.ts';

/** Matches the path of a blob below `/api/v1`, regardless of the link's host and root. */
const blobPath = /^(?:\/repo\/([^/]+))?\/id\/([^/]+)\/@blob\/(.+)$/is;

/**
 * Matches the path of a blob in links of the reference implementation: repository, document id, xpath and file
 * name.
 */
const filePath = /^\/([^/]+)\/([^/]+)\/(.+)\/[^/]*$/s;

function readBlob(address: string): BlobReference | undefined {
  const [path = ''] = address.split(/[?#]/, 1);
  const [before = '', ...others] = path.split(/\/(?:api\/v1|nx(?:big)?file)(?=\/)/i);
  const isAddress = /^(?:https?:\/\/[^/]+)?(?:\/|$)/i.test(before);
  const last = others.at(-1) ?? '';
  const match =
    isAddress &&
    (blobPath.exec(last) ?? (/\/nx(?:big)?file$/.test(path.slice(0, -last.length)) && filePath.exec(last)));
  if (!match) return undefined;
  try {
    const [, repository, id = '', xpath = ''] = match.map((part) => part && decodeURIComponent(part));
    return { repository, id, xpath };
  } catch {
    return undefined; // The path is not percent-encoded correctly.
  }
}

function linksBelow(baseUrl: string): Links {
  const root = baseUrl.replace(/(\/share)?\/api\/v1$/, '');
  const within = (repository: string, ...segments: readonly string[]) =>
    [`${baseUrl}/repo/${repository}`, ...segments.map(encodeURIComponent)].join('/');
  const document: Links['document'] = ({ repository, id }) => `${baseUrl}/repo/${repository}/id/${id}`;
  return {
    document,
    blob: (holder, xpath, token) => `${document(holder)}/@blob/${xpath}?changeToken=${token}`,
    rendition: (holder, name, token) =>
      `${document(holder)}/@rendition/${encodeURIComponent(name)}${token === undefined ? '' : `?changeToken=${token}`}`,
    preview: (holder, token) => `${document(holder)}/@preview?changeToken=${token}`,
    blobPreview: (holder, xpath, token) => `${document(holder)}/@blob/${xpath}/@preview?changeToken=${token}`,
    conversion: (holder, xpath, type, token) =>
      `${document(holder)}/@blob/${xpath}/@convert?type=${encodeURIComponent(type)}&changeToken=${token}`,
    icon: (name) => `${root}/icons/${name}.svg`,
    readBlob,
    authority: (kind, id) => `${baseUrl}/${kind}/${encodeURIComponent(id)}`,
    invitation: (token) => `${root}/site/userInvitation/enterpassword?token=${token}`,
    // The token is in the fragment, which browsers do not send to servers, so it does not appear in logs.
    share: (token) => (token === undefined ? `${root}/share/` : `${root}/share/#${token}`),
    bulkResult: (command) => `${baseUrl}/bulk/${command}/result`,
    scheduled: (conversion, what) => `${baseUrl}/conversions/${conversion}/${what}`,
    schema: (name) => `${baseUrl}/config/schemas/${name}`,
    documentPage: (id) => `${root}/document/${id}`,
    tasks: `${root}/tasks`,
    taskAction: (repository, task, action) => within(repository, 'task', task, action),
    workflowGraph: (repository, workflow) => within(repository, 'workflow', workflow, 'graph'),
    workflowModelGraph: (repository, model) => within(repository, 'workflowModel', model, 'graph'),
  };
}

/**
 * The links by base URL. The base URL contains the host that the client uses to reach the server, so it differs
 * between requests.
 */
const known = new LRUCache<string, Links>({ max: 100 });

/**
 * Returns an object that builds the links in responses.
 * @param baseUrl the URL of `/api/v1` from the client's point of view, without a trailing slash
 */
export function restLinks(baseUrl: string): Links {
  const found = known.get(baseUrl);
  if (found) return found;
  const made = linksBelow(baseUrl);
  known.set(baseUrl, made);
  return made;
}
