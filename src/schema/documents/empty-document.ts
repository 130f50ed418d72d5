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
    description: 'What a new child begins with. It is not stored; its id has zeros alone.',
    args: {
      type: t.arg.string({ description: 'Needed.' }),
      name: t.arg.string({ description: 'The last segment of its path.' }),
    },
    resolve: (parent, given, context) => {
      if (!given.type?.trim()) throw new Invalid('type: the parameter is missing');
      const { name: type } = creatableType(context, given.type);
      const properties = typeDefaults(context.services.model, type);
      const name = given.name ? documentName(given.name) : '';
      return { ...newRow(parent, { name, type, properties }), id: NIL };
    },
  }),
);
