import { NIL } from 'uuid';
import { Invalid } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { typeDefaults } from '../../model/defaults.ts';
import { documentName } from '../../model/names.ts';
import { creatableType, newRow } from '../../store/documents/create-document.ts';

/** The default values of a new document (§4.1). */
builder.objectField(Document, 'emptyWithDefault', (t) =>
  t.field({
    type: Document,
    description: 'A new child with its default values. It is not stored; its id consists of zeros.',
    args: {
      type: t.arg.string({ description: 'The document type; required.' }),
      name: t.arg.string({ description: 'The last segment of the path.' }),
    },
    resolve: (parent, args, context) => {
      if (!args.type?.trim()) throw new Invalid('type is missing.');
      const { name: type } = creatableType(context, args.type);
      const properties = typeDefaults(context.services.model, type);
      const name = args.name ? documentName(args.name) : '';
      return { ...newRow(parent, { name, type, properties }), id: NIL };
    },
  }),
);
