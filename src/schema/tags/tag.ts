import { builder, Document } from '../../graphql/builder.ts';
import { labelOf, normalizeLabel, tagsOf } from '../../model/tags.ts';
import { fieldOf, isFields, type StoredValue } from '../../model/values/stored.ts';
import { removeTag, tagDocuments } from '../../store/tags/tags.ts';
import { preconditionArguments } from '../documents/precondition-arguments.ts';

const Tag = builder.objectRef<StoredValue>('Tag').implement({
  description: 'A label that a user has put on a document.',
  fields: (t) => ({
    label: t.string({ resolve: (tag) => labelOf(tag) ?? '' }),
    username: t.string({
      nullable: true,
      description: 'The user who added the tag.',
      resolve: (tag) => (isFields(tag) ? (fieldOf(tag, 'username') as string | null | undefined) : null),
    }),
  }),
});

const Tags = builder.objectRef<readonly StoredValue[]>('Tags').implement({
  description: 'All tags of a document.',
  fields: (t) => ({
    entries: t.field({
      type: [Tag],
      description: 'The tags, sorted by label.',
      resolve: (tags) => [...tags],
    }),
  }),
});

const byLabel = (one: StoredValue, other: StoredValue): number =>
  (labelOf(one) ?? '') < (labelOf(other) ?? '') ? -1 : 1;

builder.objectField(Document, 'tags', (t) =>
  t.field({
    type: Tags,
    description: 'The tags of the document, sorted by label.',
    resolve: ({ properties }) =>
      tagsOf(properties)
        .filter((tag) => labelOf(tag) !== undefined)
        .sort(byLabel),
  }),
);

const addressed = builder.args((t) => ({
  ...preconditionArguments,
  id: t.id(),
  path: t.string(),
  label: t.string({ required: true, description: 'The label, which is normalized before it is stored.' }),
}));

builder.mutationFields((t) => ({
  addTag: t.field({
    type: Tag,
    description:
      'Adds a tag to a document, and returns it. This requires only Read permission. An existing tag is not changed.',
    args: addressed,
    resolve: async (_, { id, path, label, ifMatch, ifNoneMatch }, context) => {
      const [row] = await tagDocuments(context, [{ id, path }], [label], { ifMatch, ifNoneMatch });
      const wanted = normalizeLabel(label);
      const found = tagsOf(row?.properties ?? {}).find(
        (tag) => normalizeLabel(labelOf(tag) ?? '') === wanted,
      );
      if (!found) throw new Error(`the tag ${wanted} was not added`);
      return found;
    },
  }),
  removeTag: t.id({
    description: 'Removes a tag from a document and returns its label.',
    args: addressed,
    resolve: async (_, { id, path, label, ifMatch, ifNoneMatch }, context) => {
      await removeTag(context, { id, path }, label, { ifMatch, ifNoneMatch });
      return normalizeLabel(label);
    },
  }),
}));
