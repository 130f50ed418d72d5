import { InvalidParameter } from '../../converters/parameters.ts';
import { Invalid, NotFound, namedFault } from '../../errors.ts';
import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import type { Context } from '../../loaders/context.ts';
import { type ConversionTarget, convertBlob } from '../../loaders/renditions/convert.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { blobAt, blobXpath } from '../../model/values/document-blob.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import { documentAt } from '../documents/document-at.ts';

type Given = StoredBlob | DocumentReference;

async function fileOf(context: Context, input: Given, xpath: string): Promise<BlobWithDocument> {
  if ('digest' in input) return input;
  const document = await documentAt(context, input);
  const blob = blobAt(context.services.model, document, xpath);
  if (!blob)
    throw new NotFound(
      `${document.path} has no file at ${blobXpath(context.services.model, document, xpath)}`,
    );
  return { ...blob, document };
}

/**
 * Maps the names of conversion parameters to the names that callers of the operation use. Error messages must use the
 * callers' names. Callers cannot set parameters that are not listed, so an error about such a parameter means that the
 * file is unsuitable.
 */
type CallersNames = Readonly<Record<string, string>>;

const named =
  (names: CallersNames) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidParameter)) throw error;
    const { parameter, fault } = error;
    throw new Invalid(namedFault(names[parameter] ?? parameter, fault));
  };

/**
 * Converts the files of the input, or the main files of its documents, one by one.
 * @param xpath the property of the documents that contains the files
 * @throws NotFound, Forbidden; Invalid, whose message uses the caller's parameter names
 */
export async function convertInput(
  context: Context,
  input: readonly Given[],
  into: ConversionTarget,
  { names = {}, xpath = '' }: { readonly names?: CallersNames; readonly xpath?: string } = {},
): Promise<BlobWithDocument[]> {
  const made: BlobWithDocument[] = [];
  for (const each of input) {
    const { document, ...blob } = await fileOf(context, each, xpath);
    made.push({
      ...(await convertBlob(context, blob, into).catch(named(names))),
      ...(document && { document }),
    });
  }
  return made;
}
