import { send } from '../graphql/client.ts';
import { tagDocument, tagsOf, untagDocument } from '../graphql/operations.ts';

/** The maximum number of documents whose tags are read with one request. */
const readTogether = 100;

/** The labels in the value of the property with a document's tags. */
export function labelsIn(properties: unknown): ReadonlySet<string> {
  const tags = (properties as Record<string, unknown>)['nxtag:tags'];
  const labels = (Array.isArray(tags) ? tags : []).map((tag: { readonly label?: string }) => tag.label);
  return new Set(labels.filter((label) => label !== undefined));
}

/** Reads the tags of documents, by document id. */
export async function tagsBefore(
  rows: ReadonlyArray<{ readonly uid: string }>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (let start = 0; start < rows.length; start += readTogether) {
    const ids = rows.slice(start, start + readTogether).map(({ uid }) => uid);
    const { documents } = await send(tagsOf, { ids });
    for (const document of documents) if (document) found.set(document.uid, labelsIn(document.properties));
  }
  return found;
}

export const tag = (uid: string, tags: readonly string[]): Promise<unknown> =>
  send(tagDocument, { id: uid, tags: [...tags] });

/** Removes those of the added tags that a document did not have before. */
export async function untag(
  uid: string,
  tags: readonly string[],
  before: ReadonlySet<string> | undefined,
): Promise<void> {
  const added = tags.filter((label) => !before?.has(label));
  if (added.length > 0) await send(untagDocument, { id: uid, tags: added });
}
