import { storeFile } from '../../blobs/media-type.ts';
import { decodeFile } from '../../blobs/text.ts';
import { Invalid } from '../../errors.ts';
import { createAccess, notGranted, readPermissionFor } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { isUuid } from '../../model/names.ts';
import type { BlobJson } from '../../model/values/blob-json.ts';
import type { PendingBlob, PendingText } from '../../model/values/read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties } from '../../model/values/stored.ts';
import { valueAt } from '../../model/values/value-location.ts';
import type { BlobReference, Using, ValueScope } from '../../scope.ts';
import { findUploaded } from '../uploads/uploaded-blobs.ts';

type Source = Pick<BlobReference, 'id' | 'xpath'>;

/** Returns the document and xpath to which a URL in `data` refers (§2.1); undefined for any other string. */
function sourceOf(address: string, { options }: Pick<ValueScope, 'options'>): Source | undefined {
  const { id, xpath, repository = options.repository } = options.links.readBlob(address) ?? {};
  const isOurs = id !== undefined && isUuid(id) && repository === options.repository;
  return isOurs && xpath !== undefined ? { id: id.toLowerCase(), xpath } : undefined;
}

/** A document that has blobs. */
type Holder = Pick<DocumentRow, 'id' | 'type' | 'facets' | 'properties'>;

/**
 * Reads the documents from which blobs are copied, in one statement.
 * @throws Forbidden for a document that the caller cannot read
 */
async function holders(
  scope: ValueScope,
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
  const readable = await Promise.all(rows.map((row) => may(row, readPermissionFor(row))));
  const refused = rows[readable.indexOf(false)];
  if (refused) throw notGranted(scope, readPermissionFor(refused), { id: refused.id });
  const found: Holder[] = rows.map((row) => ({ ...row, properties: row.properties as StoredProperties }));
  if (current) found.push(current);
  return new Map(found.map((holder) => [holder.id, holder]));
}

/**
 * Returns the blob to which a URL refers. The file in the blob store is renewed; otherwise, if the document that
 * contains it were deleted before this transaction is committed, a sweep would find no reference to the file and delete
 * it.
 */
async function copiedBlob(
  { services: { blobs, model } }: ValueScope,
  { id, xpath }: Source,
  { documents, current }: { documents: Map<string, Holder>; current: Holder | undefined },
): Promise<StoredBlob | undefined> {
  const holder = documents.get(id);
  if (!holder) return undefined;
  const place = valueAt(model.schemasOf(holder.type, holder.facets), holder.properties, xpath);
  const blob = place?.property.type === 'blob' ? asBlob(place.value) : undefined;
  if (!blob || holder === current) return blob;
  return (await blobs.renew(blob.digest)) === undefined ? undefined : blob;
}

const mimeType = /^[\w.+-]+\/[\w.+-]+(; *[\w-]+=("[\x20\x21\x23-\x7e]*"|[\w.+-]+))*$/;
const encodingName = /^[\w.:+-]+$/;

/**
 * Applies the name, media type and encoding in a request body to a blob. Fields that are absent from the body remain
 * unchanged.
 * @throws Invalid
 */
export function applyBlobJson(blob: StoredBlob, json: BlobJson, xpath: string): StoredBlob {
  const type = json['mime-type'] ?? blob.mimeType;
  const encoding = json.encoding ?? blob.encoding;
  if (!mimeType.test(type)) throw new Invalid(`"${type}" is not a mime type`, { field: xpath });
  if (encoding !== null && !encodingName.test(encoding))
    throw new Invalid(`"${encoding}" is not an encoding`, { field: xpath });
  return { ...blob, name: json.name ?? blob.name, mimeType: type, encoding };
}

/**
 * Creates a blob with the text in `content`.
 * @throws Invalid if the request body names an encoding other than UTF-8
 */
async function written(
  { services: { blobs } }: Using<'blobs'>,
  { xpath, json }: PendingBlob,
  content: string,
): Promise<StoredBlob> {
  if (!/^utf-?8$/i.test(json.encoding ?? 'UTF-8')) {
    throw new Invalid(`${xpath}: inline content must have the encoding UTF-8; got "${json.encoding}"`);
  }
  const { name = null } = json;
  const { mimeType: type, ...stored } = await storeFile(blobs, [Buffer.from(content, 'utf8')], { name });
  return { ...stored, name, mimeType: content === '' && !json.name ? 'text/plain' : type, encoding: 'UTF-8' };
}

/**
 * Replaces the blobs in a request body with stored ones. A blob in a body contains text (`content`), refers to an
 * upload, or refers to a stored blob by the URL that responses contain (`data`).
 * @param current the stored document, if the body changes one
 * @throws Invalid for an unknown upload or URL, and for a blob that has none of the three; Forbidden if the caller
 * cannot read the document at the URL
 */
export async function resolveBlobs(
  scope: ValueScope,
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
          : source && (await copiedBlob(scope, source, { documents, current }));
    if (!found) {
      const fault =
        data === undefined ? 'a blob needs "data", "content" or an upload' : `there is no blob at ${data}`;
      throw new Invalid(`${xpath}: ${fault}`);
    }
    put(applyBlobJson(found, json, xpath));
  }
}

/**
 * The maximum total size, in bytes, of the uploads that are converted to text for one request body. It is limited
 * because they are decoded in memory.
 */
const maxTextBytes = 10 * 1024 ** 2;

/** The maximum number of bytes that a character takes in any encoding. */
const maxBytesOfCharacter = 4;

/**
 * Replaces references to uploads with the text in these uploads (§2.1). Each upload is decoded with its stated encoding
 * or, if none is stated, with the encoding detected from its bytes.
 * @throws Invalid for an upload that is unknown, is not text, or is longer than the property allows
 */
export async function resolveTexts(scope: ValueScope, pending: readonly PendingText[]): Promise<void> {
  const uploaded = await findUploaded(scope, pending);
  let left = maxTextBytes;
  for (const text of pending) {
    const { xpath, json, maxLength = maxTextBytes, put } = text;
    const { encoding, digest, length, name } = applyBlobJson(await uploaded(text), json, xpath);
    const fault = (what: string) =>
      new Invalid(`The file ${name ?? json['upload-fileId']} ${what}`, { field: xpath });
    if (length > Math.min(left, maxBytesOfCharacter * maxLength))
      throw fault(`has ${length} bytes, which is more than this text property can store.`);
    left -= length;
    const decoded = decodeFile(await scope.services.blobs.readAll(digest), encoding);
    if (decoded === undefined) throw fault(`is not text${encoding === null ? '' : ` in ${encoding}`}.`);
    put(decoded.replace(/^\uFEFF/, ''));
  }
}
