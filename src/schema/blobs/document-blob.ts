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
  xpath: t.string({ defaultValue: '', description: 'The main blob when absent.' }),
}));

type Given = InputShapeFromFields<typeof blobArguments>;

const change = async (
  context: Context,
  { id, path, xpath, ifMatch, ifNoneMatch }: Given,
  blob: StoredBlob | null,
) =>
  redactUnreadable(
    context.load.access,
    await setBlob(context, { id, path }, { xpath: xpath ?? '', blob }, { ifMatch, ifNoneMatch }),
  );

builder.mutationFields((t) => ({
  setBlob: t.field({
    type: Document,
    description: 'Sets a blob of a document; answers the document.',
    args: { ...blobArguments, blob: t.arg({ type: BlobInput, required: true }) },
    resolve: async (_, { blob, ...given }, context) => {
      const [kept = null] = await blobsByDigest(context, [blob]);
      return change(context, given, kept);
    },
  }),
  removeBlob: t.field({
    type: Document,
    description: 'Removes a blob of a document; answers the document.',
    args: blobArguments,
    resolve: (_, given, context) => change(context, given, null),
  }),
}));
