import { NotFound, NothingToConvert } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { convertBlob } from '../../loaders/renditions/convert.ts';
import { makeRendition } from '../../loaders/renditions/index.ts';
import { previewPage } from '../../loaders/renditions/preview.ts';
import { blobXpath } from '../../model/values/document-blob.ts';
import { Blob, requireBlob } from '../blobs/blob.ts';

builder.objectFields(Document, (t) => ({
  rendition: t.field({
    type: Blob,
    nullable: true,
    description: 'A rendition of the document, created at the first request.',
    args: {
      name: t.arg.string({
        required: true,
        description: 'The name of the rendition, such as thumbnail or xmlExport.',
      }),
    },
    resolve: (row, { name }, context) => makeRendition(context, row, name),
  }),
  conversion: t.field({
    type: Blob,
    nullable: true,
    description:
      'A file of the document converted to another media type, such as text/plain or application/pdf.',
    args: {
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
    },
    resolve: async (row, { xpath, parameters, ...into }, context) => ({
      ...(await convertBlob(
        context,
        requireBlob(context.services.model, row, xpath ?? '', NothingToConvert),
        {
          ...into,
          parameters: asObject(parameters, 'parameters'),
        },
      )),
      document: row,
    }),
  }),
  previewPage: t.string({
    nullable: true,
    description: 'An HTML page that displays a file of the document, without scripts.',
    args: {
      xpath: t.arg.string({
        defaultValue: '',
        description: 'The location of the file; defaults to the main file.',
      }),
    },
    resolve: async (row, { xpath }, context) => {
      const blob = requireBlob(context.services.model, row, xpath ?? '');
      const shown = await previewPage(context, row, {
        blob,
        xpath: blobXpath(context.services.model, row, xpath ?? ''),
      });
      if (shown === null) throw new NotFound(`There is no preview for files of type ${blob.mimeType}.`);
      return shown;
    },
  }),
}));
