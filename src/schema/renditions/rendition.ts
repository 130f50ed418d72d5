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
    description: 'The document as a file of another kind, made when it is first asked for.',
    args: { name: t.arg.string({ required: true, description: 'Such as thumbnail or xmlExport.' }) },
    resolve: (row, { name }, context) => makeRendition(context, row, name),
  }),
  conversion: t.field({
    type: Blob,
    nullable: true,
    description: 'A file of the document as one of another kind, such as text/plain or application/pdf.',
    args: {
      xpath: t.arg.string({ defaultValue: '', description: 'The main file when it is empty.' }),
      converter: t.arg.string({ description: 'The name of a converter, such as pdf2text.' }),
      type: t.arg.string({ description: 'A media type.' }),
      format: t.arg.string({ description: 'The extension of a media type, such as pdf.' }),
      parameters: t.arg({ type: 'JSON', description: 'Numbers by name; those of the converter count.' }),
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
    description: 'A page of HTML that shows a file of the document, and runs nothing.',
    args: { xpath: t.arg.string({ defaultValue: '', description: 'The main file when it is empty.' }) },
    resolve: async (row, { xpath }, context) => {
      const blob = requireBlob(context.services.model, row, xpath ?? '');
      const shown = await previewPage(context, row, {
        blob,
        xpath: blobXpath(context.services.model, row, xpath ?? ''),
      });
      if (shown === null) throw new NotFound(`there is no preview of ${blob.mimeType}`);
      return shown;
    },
  }),
}));
