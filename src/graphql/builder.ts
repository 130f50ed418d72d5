import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import type { LogEntryRow } from '../loaders/audit/log-entries.ts';
import type { AuthorityRow } from '../loaders/authorities/authorities.ts';
import type { Context } from '../loaders/context.ts';
import type { DocumentRow, DocumentListShape as List } from '../loaders/documents/document-row.ts';
import type { PageShape } from '../loaders/lists/page.ts';
import type { DocumentsPage } from '../loaders/search/documents-page.ts';
import type { TaskRow } from '../loaders/workflows/tasks.ts';
import type { WorkflowShape } from '../loaders/workflows/workflows.ts';
import { requireStorable } from '../model/values/storable.ts';
import type { NamedAcl as AclShape } from '../security/acl.ts';

/** The builder of the GraphQL schema. This file defines only scalars; the files in `src/schema` add all other types. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: { JSON: { Input: unknown; Output: unknown } };
}>({
  defaultFieldNullability: false,
  plugins: [ComplexityPlugin],
  // `limits.ts` computes the cost of operations sent to /graphql. Operations that REST routes run are not limited.
  complexity: { disabled: true, defaultListMultiplier: 10 },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => {
    requireStorable(value);
    return value;
  },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

export const Document = builder.objectRef<DocumentRow>('Document');
export const Documents = builder.objectRef<DocumentsPage>('Documents');
export const DocumentList = builder.objectRef<List>('DocumentList');
export const Acl = builder.objectRef<AclShape>('Acl');
export const User = builder.objectRef<AuthorityRow>('User');
export const Users = builder.objectRef<PageShape<AuthorityRow>>('Users');
export const Group = builder.objectRef<AuthorityRow>('Group');
export const Groups = builder.objectRef<PageShape<AuthorityRow>>('Groups');
export const LogEntry = builder.objectRef<LogEntryRow>('LogEntry');
export const LogEntries = builder.objectRef<PageShape<LogEntryRow>>('LogEntries');
export const Task = builder.objectRef<TaskRow>('Task');
export const Tasks = builder.objectRef<PageShape<TaskRow>>('Tasks');
export const Workflow = builder.objectRef<WorkflowShape>('Workflow');
export const Workflows = builder.objectRef<PageShape<WorkflowShape>>('Workflows');
