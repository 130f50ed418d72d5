import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import type { Context } from '../context.ts';
import type { AuthorityRow } from '../loaders/authorities.ts';
import type { DocumentRow, DocumentList as List } from '../loaders/document-row.ts';
import type { LogEntryRow } from '../loaders/log-entries.ts';
import type { TaskRow } from '../loaders/tasks.ts';
import { requireStorable } from '../model/storable.ts';
import type { PageShape } from '../pages/page.ts';
import type { DocumentsPage } from '../pages/page-providers.ts';
import type { Acl as AclShape } from '../security/acl.ts';
import type { WorkflowShape } from './workflow-shape.ts';

/** The one builder of the GraphQL schema; it defines no types but the scalars. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: { JSON: { Input: unknown; Output: unknown } };
}>({
  defaultFieldNullability: false,
  plugins: [ComplexityPlugin],
  // Fields only carry their cost: `limits.ts` adds it up for what came from outside. Our own operations are ours.
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

/** A document, by its row. */
export const Document = builder.objectRef<DocumentRow>('Document');

/** A page of documents, by its shape. */
export const Documents = builder.objectRef<DocumentsPage>('Documents');

/** Documents that are no page of a longer list. */
export const DocumentList = builder.objectRef<List>('DocumentList');

/** An ACL of a document. */
export const Acl = builder.objectRef<AclShape>('Acl');

/** A user, by the row. */
export const User = builder.objectRef<AuthorityRow>('User');

/** A page of users, by its shape. */
export const Users = builder.objectRef<PageShape<AuthorityRow>>('Users');

/** A group, by its row. */
export const Group = builder.objectRef<AuthorityRow>('Group');

/** A page of groups, by its shape. */
export const Groups = builder.objectRef<PageShape<AuthorityRow>>('Groups');

/** An entry of the audit, by its row. */
export const LogEntry = builder.objectRef<LogEntryRow>('LogEntry');

/** A page of log entries, by its shape. */
export const LogEntries = builder.objectRef<PageShape<LogEntryRow>>('LogEntries');

/** A task, by its row. */
export const Task = builder.objectRef<TaskRow>('Task');

/** A page of tasks, by its shape. */
export const Tasks = builder.objectRef<PageShape<TaskRow>>('Tasks');

/** A workflow that somebody started, or a model of workflows. */
export const Workflow = builder.objectRef<WorkflowShape>('Workflow');

/** A page of workflows, by its shape. */
export const Workflows = builder.objectRef<PageShape<WorkflowShape>>('Workflows');
