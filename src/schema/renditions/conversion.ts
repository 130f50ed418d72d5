import { documentAt } from '../../automation/documents/document-at.ts';
import { NothingToConvert } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import { convertBlob, planConversion } from '../../loaders/renditions/convert.ts';
import {
  type ConversionStatus,
  conversionResult,
  conversionStatus,
  scheduleConversion,
} from '../../store/renditions/scheduled-conversions.ts';
import { Blob, requireBlob } from '../blobs/blob.ts';

const Scheduled = builder.objectRef<string>('ConversionScheduled').implement({
  description: 'A conversion that is made after the answer.',
  fields: (t) => ({
    conversionId: t.id({ resolve: (id) => id }),
    pollingURL: t.string({ resolve: (id, _, { options }) => options.links.scheduled(id, 'poll') }),
    resultURL: t.string({ resolve: (id, _, { options }) => options.links.scheduled(id, 'result') }),
  }),
});

const Status = builder.objectRef<ConversionStatus>('ConversionStatus').implement({
  description: 'How far a conversion is.',
  fields: (t) => ({
    conversionId: t.exposeID('id'),
    status: t.exposeString('status', { description: 'scheduled, running or completed: failed ones too.' }),
    resultURL: t.string({ resolve: ({ id }, _, { options }) => options.links.scheduled(id, 'result') }),
  }),
});

type Outcome = { readonly blob: BlobWithDocument } | { readonly scheduled: string };

const FileConversion = builder.objectRef<Outcome>('FileConversion').implement({
  description: 'What a file is converted to, or the conversion that makes it later.',
  fields: (t) => ({
    blob: t.field({ type: Blob, nullable: true, resolve: (made) => ('blob' in made ? made.blob : null) }),
    scheduled: t.field({
      type: Scheduled,
      nullable: true,
      resolve: (made) => ('scheduled' in made ? made.scheduled : null),
    }),
  }),
});

builder.mutationField('convertFile', (t) =>
  t.field({
    type: FileConversion,
    description: 'Converts a file of a document: at once, or after the answer.',
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      xpath: t.arg.string({ defaultValue: '', description: 'The main file when it is empty.' }),
      converter: t.arg.string({ description: 'The name of a converter, such as pdf2text.' }),
      type: t.arg.string({ description: 'A media type.' }),
      format: t.arg.string({ description: 'The extension of a media type, such as pdf.' }),
      parameters: t.arg({ type: 'JSON', description: 'Numbers by name; those of the converter count.' }),
      async: t.arg.boolean({ defaultValue: false, description: 'Whether it is made after the answer.' }),
    },
    resolve: async (_, { id, path, xpath, parameters, async: isLater, ...into }, context) => {
      const document = await documentAt(context, { id, path });
      const blob = requireBlob(context.services.model, document, xpath ?? '', NothingToConvert);
      const wanted = { ...into, parameters: asObject(parameters, 'parameters') };
      if (!isLater) return { blob: { ...(await convertBlob(context, blob, wanted)), document } };
      return { scheduled: await scheduleConversion(context, await planConversion(context, blob, wanted)) };
    },
  }),
);

builder.queryFields((t) => ({
  conversionStatus: t.field({
    type: Status,
    nullable: true,
    description: 'A conversion of the caller, or of any user for administrators.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => conversionStatus(context, id),
  }),
  conversionResult: t.field({
    type: Blob,
    nullable: true,
    description: 'What it has made; the error that it failed with is thrown.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => conversionResult(context, id),
  }),
}));
