import SchemaBuilder from '@pothos/core';
import PrismaPlugin, { type PrismaTypesFromClient } from '@pothos/plugin-prisma';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { v7 } from 'uuid';
import type { Prisma, PrismaClient } from '../../src/generated/prisma/client.ts';
import { type Ace as AceRow, type Acl as AclRow, type Loaders, repository } from './loaders.ts';
import type { ContentModel, Properties } from './model.ts';

export interface Context {
  readonly loaders: Loaders;
  /** The base URL of the links in responses. */
  readonly base: string;
}

interface Blob {
  readonly name: string;
  readonly mimeType: string;
  readonly encoding: string | null;
  readonly digest: string;
  readonly length: number;
}

const user = 'Administrator';

const shownChildren = { isTrashed: false, isVersion: false };

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Creates a schema in the style recommended by the documentation of Pothos and its Prisma plugin. */
export function createSchema(prisma: PrismaClient, datamodel: unknown, model: ContentModel): GraphQLSchema {
  const builder = new SchemaBuilder<{
    Context: Context;
    DefaultFieldNullability: false;
    PrismaTypes: PrismaTypesFromClient<PrismaClient>;
    Scalars: { JSON: { Input: unknown; Output: unknown } };
  }>({
    defaultFieldNullability: false,
    plugins: [PrismaPlugin],
    prisma: { client: prisma, dmmf: datamodel as { datamodel: unknown } },
  });

  builder.scalarType('JSON', { serialize: (value) => value, parseValue: (value) => value });

  const SchemaReference = builder
    .objectRef<{ name: string; prefix: string }>('SchemaReference')
    .implement({ fields: (t) => ({ name: t.exposeString('name'), prefix: t.exposeString('prefix') }) });

  const Ace = builder.objectRef<AceRow>('Ace').implement({
    fields: (t) => ({
      id: t.string({
        resolve: ({ username, permission, granted, creator, begin, end }) =>
          [username, permission, granted, creator, begin, end].join(':'),
      }),
      username: t.exposeString('username'),
      externalUser: t.boolean({ resolve: ({ username }) => username.startsWith('transient/') }),
      permission: t.exposeString('permission'),
      granted: t.exposeBoolean('granted'),
      creator: t.exposeString('creator', { nullable: true }),
      begin: t.exposeString('begin', { nullable: true }),
      end: t.exposeString('end', { nullable: true }),
      status: t.string({
        resolve: ({ begin, end }) => {
          const now = new Date().toISOString();
          if (end !== null && end < now) return 'archived';
          return begin !== null && begin > now ? 'pending' : 'effective';
        },
      }),
    }),
  });

  const Acl = builder.objectRef<AclRow>('Acl').implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      aces: t.field({ type: [Ace], resolve: ({ aces }) => aces }),
    }),
  });

  const Document = builder.prismaObject('Document', {
    fields: (t) => ({
      repository: t.exposeString('repository'),
      uid: t.exposeID('id'),
      name: t.exposeString('name'),
      path: t.exposeString('path'),
      type: t.exposeString('type'),
      state: t.exposeString('state'),
      parentRef: t.exposeID('parentId', { nullable: true }),
      isCheckedOut: t.exposeBoolean('isCheckedOut'),
      isRecord: t.exposeBoolean('isRecord'),
      retainUntil: t.string({
        nullable: true,
        resolve: ({ retainUntil }) => retainUntil?.toISOString(),
      }),
      hasLegalHold: t.exposeBoolean('hasLegalHold'),
      isUnderRetentionOrLegalHold: t.boolean({
        resolve: ({ retainUntil, hasLegalHold }) =>
          hasLegalHold || (retainUntil !== null && retainUntil > new Date()),
      }),
      isVersion: t.exposeBoolean('isVersion'),
      isProxy: t.exposeBoolean('isProxy'),
      changeToken: t.string({ resolve: ({ systemToken, userToken }) => `${systemToken}-${userToken}` }),
      isTrashed: t.exposeBoolean('isTrashed'),
      title: t.string({
        resolve: ({ properties, name }) => text((properties as Properties)['dc:title']) ?? name,
      }),
      lastModified: t.string({
        nullable: true,
        resolve: ({ properties }) => text((properties as Properties)['dc:modified']),
      }),
      properties: t.field({
        type: 'JSON',
        resolve: (document, _, { base }) => {
          const stored = document.properties as Properties;
          const shown: Record<string, unknown> = { ...model.types[document.type]?.properties };
          for (const xpath of Object.keys(shown)) shown[xpath] = stored[xpath] ?? shown[xpath];
          if ('uid:major_version' in shown) shown['uid:major_version'] = document.majorVersion;
          if ('uid:minor_version' in shown) shown['uid:minor_version'] = document.minorVersion;
          const blob = stored['file:content'] as Blob | undefined;
          if (!blob) return shown;
          const query = `changeToken=${document.systemToken}-${document.userToken}`;
          const data = `${base}/repo/${repository}/id/${document.id}/@blob/file:content?${query}`;
          shown['file:content'] = {
            name: blob.name,
            'mime-type': blob.mimeType,
            encoding: blob.encoding,
            digestAlgorithm: 'SHA-256',
            digest: blob.digest,
            length: String(blob.length),
            data,
            blobUrl: data,
          };
          return shown;
        },
      }),
      facets: t.stringList({
        resolve: ({ type, facets }) => [...(model.types[type]?.facets ?? []), ...facets],
      }),
      schemas: t.field({
        type: [SchemaReference],
        resolve: ({ type }) => model.types[type]?.schemas ?? [],
      }),
      children: t.relation('children', {
        args: { pageSize: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
        query: ({ pageSize, offset }) => ({
          where: shownChildren,
          orderBy: [{ title: 'asc' }, { id: 'asc' }],
          take: pageSize,
          skip: offset,
        }),
      }),
      childCount: t.relationCount('children', { where: shownChildren }),
      acls: t.field({
        type: [Acl],
        resolve: async ({ id, aclId }, _, { loaders }) => {
          const [own = [], effective = []] = await Promise.all([
            loaders.ownAcls.load(id),
            loaders.effectiveAcl.load(aclId),
          ]);
          const aces = effective.slice(own.flatMap((acl) => acl.aces).length);
          return aces.length > 0 ? [...own, { name: 'inherited', aces }] : own;
        },
      }),
      tags: t.stringList({
        resolve: ({ properties }) => {
          const tags = (properties as Properties)['nxtag:tags'] as Array<{ label: string }> | undefined;
          return [...new Set(tags?.map(({ label }) => label))].sort();
        },
      }),
      favorites: t.boolean({
        resolve: async ({ id }, _, { loaders }) => (await loaders.isFavorite.load(id)) ?? false,
      }),
      permissions: t.stringList({ resolve: () => model.permissions }),
    }),
  });

  builder.prismaObjectFields(Document, (t) => ({
    breadcrumb: t.field({
      type: [Document],
      resolve: async ({ ancestorIds }, _, { loaders }) => {
        const found = await Promise.all(ancestorIds.map((id) => loaders.documentById.load(id)));
        return found.filter((document) => document !== undefined);
      },
    }),
  }));

  builder.queryType({
    fields: (t) => ({
      document: t.prismaField({
        type: Document,
        nullable: true,
        args: { id: t.arg.id({ required: true }) },
        resolve: (query, _, { id }) =>
          prisma.document.findUnique({ ...query, where: { repository_id: { repository, id: String(id) } } }),
      }),
    }),
  });

  builder.mutationType({
    fields: (t) => ({
      createDocument: t.prismaField({
        type: Document,
        args: {
          parentId: t.arg.id({ required: true }),
          name: t.arg.string({ required: true }),
          type: t.arg.string({ required: true }),
          properties: t.arg({ type: 'JSON', required: true }),
        },
        resolve: async (query, _, { parentId, name, type, properties }) => {
          const documentType = model.types[type];
          if (!documentType) throw new GraphQLError(`There is no document type ${type}.`);
          const parent = await prisma.document.findUnique({
            where: { repository_id: { repository, id: String(parentId) } },
          });
          if (!parent) throw new GraphQLError(`There is no document ${parentId}.`);
          const now = new Date().toISOString();
          const all: Properties = {
            'common:icon': documentType.icon,
            'dc:created': now,
            'dc:modified': now,
            'dc:creator': user,
            'dc:contributors': [user],
            'dc:lastContributor': user,
            ...(properties as Properties),
          };
          return prisma.document.create({
            ...query,
            data: {
              repository,
              id: v7(),
              parentId: parent.id,
              ancestorIds: [...parent.ancestorIds, parent.id],
              name,
              path: `${parent.path}/${name}`,
              type,
              title: text(all['dc:title']) ?? name,
              aclId: parent.aclId,
              properties: all as Prisma.InputJsonObject,
            },
          });
        },
      }),
    }),
  });

  return builder.toSchema();
}
