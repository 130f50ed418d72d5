import {
  type FieldNode,
  type GraphQLResolveInfo,
  getArgumentValues,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { Document } from '../../graphql/builder.ts';
import type { ShownProperties } from '../../loaders/lists/page.ts';
import type { Using } from '../../scope.ts';

/** Fields of a document that need its columns only; `title` and `lastModified` also need Dublin Core. */
const fieldsOfColumns = new Set([
  '__typename',
  'changeToken',
  'facets',
  'hasLegalHold',
  'isCheckedOut',
  'isFlexibleRecord',
  'isLatestMajorVersion',
  'isLatestVersion',
  'isProxy',
  'isRecord',
  'isTrashed',
  'isUnderRetentionOrLegalHold',
  'isVersion',
  'lastModified',
  'lockCreated',
  'lockOwner',
  'name',
  'parentRef',
  'path',
  'proxyTargetId',
  'repository',
  'retainUntil',
  'retainedProperties',
  'schemas',
  'state',
  'title',
  'transitions',
  'type',
  'uid',
  'versionComment',
  'versionCreated',
  'versionLabel',
  'versionableId',
  'workflowModelName',
]);

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'schema' | 'variableValues'>;

/** All fields that a selection set names, those of fragments included. */
const fieldsIn = ({ fragments }: Info, set: SelectionSetNode | undefined): FieldNode[] =>
  (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
    return fieldsIn({ fragments } as Info, inner?.selectionSet);
  });

/** The schemas that a field of a document needs, by name; undefined for all. */
function schemasOfField(info: Info, node: FieldNode): readonly string[] | undefined {
  if (fieldsOfColumns.has(node.name.value)) return [];
  if (node.name.value !== 'properties') return undefined;
  const type = info.schema.getType(Document.name);
  const field = type && 'getFields' in type ? type.getFields()[node.name.value] : undefined;
  const { schemas } = field ? getArgumentValues(field as never, node, info.variableValues) : {};
  return Array.isArray(schemas) && !schemas.includes('*') ? schemas : undefined;
}

/**
 * What a page of documents has to read of large properties, by the fields of its entries that the operation
 * selects. Fields that this does not know, such as enrichers, may need all properties.
 * @param info of a field that answers a page
 */
export function shownProperties({ services: { model } }: Using<'model'>, info: Info): ShownProperties {
  const prefixes = new Set(['dc']);
  for (const { selectionSet } of info.fieldNodes)
    for (const page of fieldsIn(info, selectionSet))
      for (const node of fieldsIn(info, page.selectionSet)) {
        if (page.name.value !== 'entries') continue;
        const schemas = schemasOfField(info, node);
        if (!schemas) return {};
        for (const name of schemas) prefixes.add(model.schemas.get(name)?.prefix ?? name);
      }
  return { shownPrefixes: [...prefixes].sort() };
}
