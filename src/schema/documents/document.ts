import { blobsByDigest } from '../../automation/blobs/by-digest.ts';
import { DocumentNotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, DocumentList, Documents } from '../../graphql/builder.ts';
import { implementPage, pageArguments, pageCost } from '../../graphql/page.ts';
import { redactUnreadable } from '../../loaders/acls/access.ts';
import { isRetained } from '../../loaders/documents/document-row.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import { renderDocumentProperties, schemasOf } from '../../loaders/documents/rendered-properties.ts';
import {
  lastModified,
  shownChangeToken,
  shownFacets,
  shownTitle,
} from '../../loaders/documents/shown-fields.ts';
import { readPage } from '../../loaders/lists/page.ts';
import { shownPage } from '../../loaders/lists/page-loader.ts';
import { referenceKey } from '../../model/document-reference.ts';
import { transitionsFrom } from '../../model/life-cycle.ts';
import { mainXpath } from '../../model/values/document-blob.ts';
import { ResolvedBlob } from '../../model/values/stored.ts';
import { workflowModelPath } from '../../model/workflows/runnable.ts';
import { isGuest, nameSeenBy } from '../../security/acl.ts';
import { createDocument } from '../../store/documents/create-document.ts';
import { deleteDocument } from '../../store/documents/delete-document.ts';
import { trashDocument } from '../../store/documents/trash/trash.ts';
import { untrashDocument } from '../../store/documents/trash/untrash.ts';
import { updateDocument } from '../../store/documents/update-document.ts';
import { Blob, BlobInput, requireBlob } from '../blobs/blob.ts';
import { preconditionArguments } from './precondition-arguments.ts';
import { shownProperties } from './shown-properties.ts';

const SchemaReference = builder.objectRef<{ name: string; prefix: string }>('SchemaReference').implement({
  description: 'A schema of a document.',
  fields: (t) => ({ name: t.exposeString('name'), prefix: t.exposeString('prefix') }),
});

implementPage(Documents, Document, 'A page of documents.');

DocumentList.implement({
  description: 'A list of documents without paging.',
  fields: (t) => ({
    entries: t.expose('entries', {
      type: [Document],
      complexity: { multiplier: 1 }, // The field that returns the list accounts for its entries.
    }),
    resultsCount: t.int({
      description: 'The total number of documents, which can exceed the number of entries.',
      resolve: ({ entries, resultsCount }) => resultsCount ?? entries.length,
    }),
    resultsCountLimit: t.int({ nullable: true, resolve: ({ countLimit }) => countLimit }),
  }),
});

Document.implement({
  description: 'A document of any type, such as a folder, a file or a note.',
  fields: (t) => ({
    repository: t.exposeString('repository'),
    uid: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.string({
      description:
        'The path. Guests get the name instead, because they must not see the folders above the document.',
      resolve: ({ name, path }, _, { user }) => (isGuest(user.id) ? name : path),
    }),
    type: t.exposeString('type'),
    state: t.exposeString('state', { description: 'The life cycle state.' }),
    transitions: t.stringList({
      description:
        'The life cycle transitions that start in the current state, including those into and out of the trash.',
      resolve: transitionsFrom,
    }),
    parentRef: t.exposeID('parentId', { nullable: true }),
    isCheckedOut: t.exposeBoolean('isCheckedOut'),
    isVersion: t.exposeBoolean('isVersion'),
    isProxy: t.exposeBoolean('isProxy'),
    isTrashed: t.exposeBoolean('isTrashed'),
    lockOwner: t.string({
      nullable: true,
      description: 'The user who has locked the document.',
      resolve: ({ lockOwner }, _, { user }) => lockOwner && nameSeenBy(user, lockOwner),
    }),
    lockCreated: t.string({
      nullable: true,
      description: 'The time of the lock.',
      resolve: ({ lockCreated }) => lockCreated?.toISOString(),
    }),
    isRecord: t.exposeBoolean('isRecord'),
    retainUntil: t.string({
      nullable: true,
      description: 'The end of the retention period. Until then the document cannot be changed or deleted.',
      resolve: ({ retainUntil }) => retainUntil?.toISOString(),
    }),
    hasLegalHold: t.exposeBoolean('hasLegalHold'),
    isUnderRetentionOrLegalHold: t.boolean({ resolve: isRetained }),
    isFlexibleRecord: t.boolean({
      nullable: true,
      description: 'Always false for records, because they cannot be changed before their retention ends.',
      resolve: ({ isRecord }) => (isRecord ? false : null),
    }),
    retainedProperties: t.stringList({
      nullable: true,
      description: 'Always empty for records, because all of their properties are retained.',
      resolve: ({ isRecord }) => (isRecord ? [] : null),
    }),
    changeToken: t.string({
      description:
        'A token that identifies the state of the document. For a proxy, it consists of the tokens of the proxy and of its version.',
      resolve: (row, _, context) => shownChangeToken(row, context),
    }),
    workflowModelName: t.string({
      nullable: true,
      description: 'The name of the workflow model that this document represents.',
      resolve: ({ type, name, path }) =>
        type === 'DocumentRoute' && path === workflowModelPath(name) ? name : null,
    }),
    title: t.string({ resolve: shownTitle }),
    lastModified: t.string({ nullable: true, resolve: lastModified }),
    facets: t.stringList({
      resolve: (row, _, { services: { model } }) => shownFacets(row, model),
    }),
    schemas: t.field({ type: [SchemaReference], resolve: (row, _, context) => [...schemasOf(row, context)] }),
    properties: t.field({
      type: 'JSON',
      description: 'The properties by xpath, of all schemas or only of the given ones.',
      args: {
        schemas: t.arg.stringList(),
        fetch: t.arg.stringList({
          description: 'The xpaths of single values that are to be returned as lists.',
        }),
        blobs: t.arg.stringList({ description: 'The enrichers of blobs: appLinks, preview.' }),
      },
      resolve: renderDocumentProperties,
    }),
    blob: t.field({
      type: Blob,
      nullable: true,
      args: { xpath: t.arg.string({ defaultValue: '' }) },
      resolve: (row, { xpath }, { services: { model } }) => requireBlob(model, row, xpath ?? ''),
    }),
    children: t.field({
      type: Documents,
      description: 'The children, sorted by title, excluding hidden and trashed ones.',
      args: pageArguments,
      complexity: pageCost,
      resolve: async (row, args, context, info) => {
        const { load } = context;
        const page = readPage({ ...args, ...shownProperties(context, info) });
        return { ...shownPage(page, await load.children(row, page)), isNavigation: true };
      },
    }),
  }),
});

builder.queryFields((t) => ({
  document: t.field({
    type: Document,
    nullable: true,
    description: 'A document by its id or by its path.',
    args: { id: t.arg.id(), path: t.arg.string() },
    resolve: async (_, args, { load }) => {
      const { by, value } = referenceKey(args);
      const found = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
      if (!found) throw new DocumentNotFound(value);
      return found;
    },
  }),
  documents: t.field({
    type: [Document],
    nullable: { list: false, items: true },
    description: 'Documents by their ids; null for each that does not exist or that the caller cannot read.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    resolve: async (_, { ids }, { load }) => {
      const found = new Map((await loadReadable(load.documentById, ids)).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id.toLowerCase()));
    },
  }),
}));

const NewDocument = builder.inputType('NewDocument', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'The last segment of the path.' }),
    type: t.string({ required: true }),
    properties: t.field({ type: 'JSON', description: 'The properties by xpath.' }),
  }),
});

export const DocumentChangeInput = builder.inputType('DocumentChange', {
  fields: (t) => ({
    uid: t.id({ description: 'If present, it must be the id of the addressed document.' }),
    changeToken: t.string({
      description:
        'The change token of the document when it was read. If the document has changed since, the write fails.',
    }),
    properties: t.field({
      type: 'JSON',
      description: 'The properties by xpath. Absent properties keep their values; null clears them.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createDocument: t.field({
    type: Document,
    args: {
      parentId: t.arg.id(),
      parentPath: t.arg.string(),
      document: t.arg({ type: NewDocument, required: true }),
      file: t.arg({ type: BlobInput, description: 'The main file of the new document.' }),
    },
    resolve: async (_, { parentId, parentPath, document, file }, context) => {
      const parent = { id: parentId, path: parentPath };
      const [blob] = await blobsByDigest(context, file ? [file] : []);
      const properties = {
        ...asObject(document.properties),
        ...(blob && { [mainXpath]: new ResolvedBlob(blob) }),
      };
      const { versioning } = context.options;
      const made = await createDocument(context, parent, { ...document, properties, versioning });
      return redactUnreadable(context.load.access, made);
    },
  }),
  updateDocument: t.field({
    type: Document,
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      document: t.arg({ type: DocumentChangeInput, required: true }),
      ...preconditionArguments,
    },
    resolve: async (_, { id, path, document, ifMatch, ifNoneMatch }, context) => {
      const { versioning } = context.options;
      const change = { ...document, properties: asObject(document.properties), versioning };
      return redactUnreadable(
        context.load.access,
        await updateDocument(context, { id, path }, change, { ifMatch, ifNoneMatch }),
      );
    },
  }),
  trashDocument: t.field({
    type: Document,
    description:
      'Moves a document and its descendants to the trash, and returns it. A proxy is deleted permanently.',
    args: { id: t.arg.id(), path: t.arg.string(), ...preconditionArguments },
    resolve: async (_, { id, path, ifMatch, ifNoneMatch }, context) =>
      redactUnreadable(
        context.load.access,
        await trashDocument(context, { id, path }, { ifMatch, ifNoneMatch }),
      ),
  }),
  untrashDocument: t.field({
    type: Document,
    description: 'Restores a document with its descendants and ancestors from the trash, and returns it.',
    args: { id: t.arg.id(), path: t.arg.string(), ...preconditionArguments },
    resolve: async (_, { id, path, ifMatch, ifNoneMatch }, context) =>
      redactUnreadable(
        context.load.access,
        await untrashDocument(context, { id, path }, { ifMatch, ifNoneMatch }),
      ),
  }),
  deleteDocument: t.id({
    description: 'Permanently deletes a document with its descendants, and returns its id.',
    args: { id: t.arg.id(), path: t.arg.string(), ...preconditionArguments },
    resolve: (_, { id, path, ifMatch, ifNoneMatch }, context) =>
      deleteDocument(context, { id, path }, { ifMatch, ifNoneMatch }),
  }),
}));
