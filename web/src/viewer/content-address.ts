import { ownAddress } from '../form/shown-value.tsx';

/** Returns a short hash of a text (FNV-1a). Different texts are very likely to have different hashes. */
function textHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Identifies the content of a document by the digest of its file, or by the text of a note. */
export function contentId(properties: unknown): string {
  const values = properties as Readonly<Record<string, unknown>>;
  const { digest } = (values['file:content'] ?? {}) as { digest?: string };
  return digest ?? textHash(JSON.stringify([values['note:mime_type'], values['note:note']]));
}

/**
 * Returns the URL at which content is displayed. Instead of the change token, the URL contains an identifier of the
 * content, so that a preview is not reloaded when another part of the document changes, such as its tags. The URL has
 * no host, because the Content-Security-Policy allows only the page's own host.
 */
export function contentAddress(
  url: string,
  content: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const shown = new URL(url, document.baseURI);
  shown.searchParams.delete('changeToken');
  for (const [name, value] of Object.entries({ ...parameters, content })) shown.searchParams.set(name, value);
  return ownAddress(shown.href);
}
