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

/**
 * The fields that need only the columns of a document. `title` and `lastModified` also need its Dublin Core
 * properties.
 */
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

/** Returns all fields in a GraphQL selection set, including those in fragments. */
const fieldsIn = ({ fragments }: Info, set: SelectionSetNode | undefined): FieldNode[] =>
  (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
    return fieldsIn({ fragments } as Info, inner?.selectionSet);
  });

/** Returns the names of the schemas that a field of a document needs; undefined for all schemas. */
function schemasOfField(info: Info, node: FieldNode): readonly string[] | undefined {
  if (fieldsOfColumns.has(node.name.value)) return [];
  if (node.name.value !== 'properties') return undefined;
  const type = info.schema.getType(Document.name);
  const field = type && 'getFields' in type ? type.getFields()[node.name.value] : undefined;
  const { schemas } = field ? getArgumentValues(field as never, node, info.variableValues) : {};
  return Array.isArray(schemas) && !schemas.includes('*') ? schemas : undefined;
}

/**
 * Determines from the selected fields which large properties must be read for a page of documents. If a field that this
 * function does not know is selected, such as an enricher, all properties are read.
 * @param info describes a field that returns a page
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
