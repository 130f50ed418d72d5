import { Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { PendingBlob } from '../model/read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties } from '../model/stored.ts';
import { valueAt } from '../model/value-at.ts';
import type { Scope } from '../scope.ts';

/** Where a document shows the bytes of its blobs: the address that `data` holds (§2.1). */
const own = /\/api\/v1(?:\/repo\/([^/]+))?\/id\/([0-9a-f-]{36})\/@blob\/([^?#]+)/i;

interface Source {
  readonly repository: string;
  readonly id: string;
  readonly xpath: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function sourceOf(json: Record<string, unknown>, scope: Scope): Source | undefined {
  const match = own.exec(text(json.data) ?? '');
  if (!match) return undefined;
  const [, repository = scope.options.repository, id = '', xpath = ''] = match;
  try {
    return {
      repository: decodeURIComponent(repository),
      id: id.toLowerCase(),
      xpath: decodeURIComponent(xpath),
    };
  } catch {
    return undefined;
  }
}

type Holder = Pick<DocumentRow, 'id' | 'type' | 'facets' | 'properties'>;

/** The documents whose blobs are wanted, in one statement; the one being written is at hand already. */
async function holders(
  scope: Scope,
  sources: readonly Source[],
  current?: Holder,
): Promise<Map<string, Holder>> {
  const { repository } = scope.options;
  const ids = new Set(sources.filter((source) => source.repository === repository).map(({ id }) => id));
  if (current) ids.delete(current.id);
  const rows = ids.size
    ? await scope.db.prisma.document.findMany({ where: { repository, id: { in: [...ids] } } })
    : [];
  const found: Holder[] = rows.map((row) => ({ ...row, properties: row.properties as StoredProperties }));
  if (current) found.push(current);
  return new Map(found.map((holder) => [holder.id, holder]));
}

function kept(
  { model }: Scope,
  { id, xpath }: Source,
  documents: Map<string, Holder>,
): StoredBlob | undefined {
  const holder = documents.get(id);
  if (!holder) return undefined;
  const place = valueAt(model.schemasOf(holder.type, holder.facets), holder.properties, xpath);
  return place?.property.type === 'blob' ? asBlob(place.value) : undefined;
}

const mimeType = /^[\w.+-]+\/[\w.+-]+(; *[\w-]+=("[^"\p{Cc}]*"|[\w.+-]+))*$/u;
const encodingName = /^[\w.:+-]+$/;

/** What a body says of the blob itself; what it does not say stays. @throws Invalid */
function described(blob: StoredBlob, json: Record<string, unknown>, xpath: string): StoredBlob {
  const type = text(json['mime-type']) ?? blob.mimeType;
  const encoding = text(json.encoding) ?? blob.encoding;
  if (!mimeType.test(type)) throw new Invalid(`${xpath}: "${type}" is no mime type`);
  if (encoding !== null && !encodingName.test(encoding))
    throw new Invalid(`${xpath}: "${encoding}" is no encoding`);
  return { ...blob, name: text(json.name) ?? blob.name, mimeType: type, encoding };
}

/** A new blob from text in the body itself. */
async function written({ blobs }: Scope, content: string): Promise<StoredBlob> {
  const stored = await blobs.write([Buffer.from(content, 'utf8')]);
  return { name: null, mimeType: 'text/plain', encoding: 'UTF-8', ...stored };
}

/**
 * Turns what a body says of its blobs into stored blobs, and puts them where they belong. A blob is kept or
 * copied by the `data` address under which a document shows it, or made from the text in `content` (or `data`).
 * @param current the document being changed, as it is stored.
 * @throws Invalid when the address leads to no blob, or neither is given.
 */
export async function resolveBlobs(
  scope: Scope,
  pending: readonly PendingBlob[],
  current?: Holder,
): Promise<void> {
  const sources = pending.map(({ json }) => sourceOf(json, scope));
  const documents = await holders(
    scope,
    sources.filter((source) => source !== undefined),
    current,
  );
  for (const [index, { xpath, json, put }] of pending.entries()) {
    const source = sources[index];
    const content = text(json.content) ?? text(json.data);
    if (content === undefined) throw new Invalid(`${xpath}: a blob needs "data" or "content"`);
    const blob = source ? kept(scope, source, documents) : await written(scope, content);
    if (!blob) throw new Invalid(`${xpath}: ${content} leads to no blob`);
    put(described(blob, json, xpath));
  }
}
