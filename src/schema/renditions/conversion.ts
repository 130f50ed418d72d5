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
  description: 'An asynchronous conversion.',
  fields: (t) => ({
    conversionId: t.id({ resolve: (id) => id }),
    pollingURL: t.string({ resolve: (id, _, { options }) => options.links.scheduled(id, 'poll') }),
    resultURL: t.string({ resolve: (id, _, { options }) => options.links.scheduled(id, 'result') }),
  }),
});

const Status = builder.objectRef<ConversionStatus>('ConversionStatus').implement({
  description: 'The state of a conversion.',
  fields: (t) => ({
    conversionId: t.exposeID('id'),
    status: t.exposeString('status', {
      description: 'scheduled, running or completed. A conversion that failed is also completed.',
    }),
    resultURL: t.string({ resolve: ({ id }, _, { options }) => options.links.scheduled(id, 'result') }),
  }),
});

type Outcome = { readonly blob: BlobWithDocument } | { readonly scheduled: string };

const FileConversion = builder.objectRef<Outcome>('FileConversion').implement({
  description: 'The converted file, or the asynchronous conversion that will produce it.',
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
    description: 'Converts a file of a document, immediately or as a job.',
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      xpath: t.arg.string({
        defaultValue: '',
        description: 'The location of the file; defaults to the main file.',
      }),
      converter: t.arg.string({ description: 'The name of a converter, such as pdf2text.' }),
      type: t.arg.string({ description: 'A media type.' }),
      format: t.arg.string({ description: 'The extension of a media type, such as pdf.' }),
      parameters: t.arg({
        type: 'JSON',
        description: 'The numeric parameters of the converter, by name.',
      }),
      async: t.arg.boolean({ defaultValue: false, description: 'Whether the conversion runs as a job.' }),
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
    description: "One of the caller's conversions; for administrators, any user's.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => conversionStatus(context, id),
  }),
  conversionResult: t.field({
    type: Blob,
    nullable: true,
    description: 'The converted file. If the conversion failed, its error is returned.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => conversionResult(context, id),
  }),
}));
