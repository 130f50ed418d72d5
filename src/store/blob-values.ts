import { Invalid } from '../errors.ts';
import { createAccess, notGranted, toRead } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { BlobJson } from '../model/blob-json.ts';
import { isUuid } from '../model/names.ts';
import type { PendingBlob } from '../model/read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties } from '../model/stored.ts';
import { valueAt } from '../model/value-at.ts';
import type { Scope } from '../scope.ts';
import { findUploaded } from './uploaded-blobs.ts';

/** Where a document shows the bytes of its blobs: the address that `data` holds (§2.1). */
const own = /^(?:https?:\/\/[^/]+)?\/(?:[^?#]*\/)?api\/v1(?:\/repo\/([^/]+))?\/id\/([^/]+)\/@blob\/([^?#]+)/i;

interface Source {
  readonly id: string;
  readonly xpath: string;
}

/** The document and place that an address of ours names; undefined for any other text. */
function sourceOf(address: string, { options }: Scope): Source | undefined {
  const match = own.exec(address);
  if (!match) return undefined;
  try {
    const [, repository = options.repository, id = '', xpath = ''] = match.map(
      (part) => part && decodeURIComponent(part),
    );
    return isUuid(id) && repository === options.repository ? { id: id.toLowerCase(), xpath } : undefined;
  } catch {
    return undefined; // not percent-encoded correctly
  }
}

type Holder = Pick<DocumentRow, 'id' | 'type' | 'facets' | 'properties'>;

/**
 * The documents whose blobs are wanted, in one statement; the one being written is at hand already.
 * @throws Forbidden for one that the caller may not read.
 */
async function holders(
  scope: Scope,
  sources: readonly Source[],
  current?: Holder,
): Promise<Map<string, Holder>> {
  const { repository } = scope.options;
  const ids = new Set(sources.map(({ id }) => id));
  if (current) ids.delete(current.id);
  const rows = ids.size
    ? await scope.db.prisma.document.findMany({ where: { repository, id: { in: [...ids] } } })
    : [];
  const { may } = createAccess(scope);
  const readable = await Promise.all(rows.map((row) => may(row.aclId, toRead(row))));
  const refused = rows[readable.indexOf(false)];
  if (refused) throw notGranted(scope, toRead(refused));
  const found: Holder[] = rows.map((row) => ({ ...row, properties: row.properties as StoredProperties }));
  if (current) found.push(current);
  return new Map(found.map((holder) => [holder.id, holder]));
}

/** The blob that an address leads to; another document than the one being written may be gone before that is. */
async function kept(
  { blobs, model }: Scope,
  { id, xpath }: Source,
  { documents, current }: { documents: Map<string, Holder>; current: Holder | undefined },
): Promise<StoredBlob | undefined> {
  const holder = documents.get(id);
  if (!holder) return undefined;
  const place = valueAt(model.schemasOf(holder.type, holder.facets), holder.properties, xpath);
  const blob = place?.property.type === 'blob' ? asBlob(place.value) : undefined;
  if (!blob || holder === current) return blob;
  // A sweep in between would find that nobody refers to the bytes.
  return (await blobs.renew(blob.digest)) === undefined ? undefined : blob;
}

const mimeType = /^[\w.+-]+\/[\w.+-]+(; *[\w-]+=("[\x20\x21\x23-\x7e]*"|[\w.+-]+))*$/;
const encodingName = /^[\w.:+-]+$/;

/** What a body says of the blob itself; what it does not say stays. @throws Invalid */
export function described(blob: StoredBlob, json: BlobJson, xpath: string): StoredBlob {
  const type = json['mime-type'] ?? blob.mimeType;
  const encoding = json.encoding ?? blob.encoding;
  if (!mimeType.test(type)) throw new Invalid(`${xpath}: "${type}" is no mime type`);
  if (encoding !== null && !encodingName.test(encoding))
    throw new Invalid(`${xpath}: "${encoding}" is no encoding`);
  return { ...blob, name: json.name ?? blob.name, mimeType: type, encoding };
}

/** A new blob from text in the body itself. @throws Invalid when it is said to be in another encoding. */
async function written({ blobs }: Scope, { xpath, json }: PendingBlob, content: string): Promise<StoredBlob> {
  if (!/^utf-?8$/i.test(json.encoding ?? 'UTF-8')) {
    throw new Invalid(`${xpath}: inline content is kept as UTF-8, not as "${json.encoding}"`);
  }
  const stored = await blobs.write([Buffer.from(content, 'utf8')]);
  return { name: null, mimeType: 'text/plain', encoding: 'UTF-8', ...stored };
}

/**
 * Turns what a body says of its blobs into stored blobs, and puts them where they belong. A blob is made from the
 * text in `content`, taken from an upload, or kept or copied by the address under which a document shows it in `data`.
 * @param current the document being changed, as it is stored.
 * @throws Invalid when there is no such upload, the address leads to no blob, or nothing is given; Forbidden when its
 * document may not be read.
 */
export async function resolveBlobs(
  scope: Scope,
  pending: readonly PendingBlob[],
  current?: Holder,
): Promise<void> {
  const sources = pending.map(({ json }) => sourceOf(json.data ?? '', scope));
  const known = sources.filter((source) => source !== undefined);
  const documents = await holders(scope, known, current);
  const uploaded = await findUploaded(scope, pending);
  for (const [index, blob] of pending.entries()) {
    const { xpath, json, put } = blob;
    const source = sources[index];
    const { content, data } = json;
    const found =
      json['upload-batch'] !== undefined
        ? await uploaded(blob)
        : content !== undefined
          ? await written(scope, blob, content)
          : source && (await kept(scope, source, { documents, current }));
    if (!found) {
      const fault =
        data === undefined ? 'a blob needs "data", "content" or an upload' : `${data} leads to no blob`;
      throw new Invalid(`${xpath}: ${fault}`);
    }
    put(described(found, json, xpath));
  }
}
