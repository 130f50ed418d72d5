import type { InputShapeFromFields } from '@pothos/core';
import { blobsByDigest } from '../../automation/blobs/by-digest.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { redactUnreadable } from '../../loaders/acls/access.ts';
import type { Context } from '../../loaders/context.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import { setBlob } from '../../store/blobs/set-blob.ts';
import { preconditionArguments } from '../documents/precondition-arguments.ts';
import { BlobInput } from './blob.ts';

const blobArguments = builder.args((t) => ({
  ...preconditionArguments,
  id: t.id(),
  path: t.string(),
  xpath: t.string({ defaultValue: '', description: 'The location of the blob; defaults to the main blob.' }),
}));

type BlobArguments = InputShapeFromFields<typeof blobArguments>;

const change = async (
  context: Context,
  { id, path, xpath, ifMatch, ifNoneMatch }: BlobArguments,
  blob: StoredBlob | null,
) =>
  redactUnreadable(
    context.load.access,
    await setBlob(context, { id, path }, { xpath: xpath ?? '', blob }, { ifMatch, ifNoneMatch }),
  );

builder.mutationFields((t) => ({
  setBlob: t.field({
    type: Document,
    description: 'Sets a blob of a document, and returns the document.',
    args: { ...blobArguments, blob: t.arg({ type: BlobInput, required: true }) },
    resolve: async (_, { blob, ...address }, context) => {
      const [stored = null] = await blobsByDigest(context, [blob]);
      return change(context, address, stored);
    },
  }),
  removeBlob: t.field({
    type: Document,
    description: 'Removes a blob of a document, and returns the document.',
    args: blobArguments,
    resolve: (_, address, context) => change(context, address, null),
  }),
}));
