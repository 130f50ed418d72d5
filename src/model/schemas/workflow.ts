import type { FieldDefinition, SchemaDefinition } from '../definitions.ts';

const keysAndValues: FieldDefinition = { type: 'complex[]', fields: { key: 'string', value: 'string' } };

/** Tasks, running workflows and their nodes, and the variables of the stock workflow models. */
export const workflowSchemas: readonly SchemaDefinition[] = [
  {
    name: 'task',
    prefix: 'nt',
    fields: {
      initiator: { type: 'string', refersTo: { to: 'user' } },
      // Users and groups, told apart by "user:" and "group:" in front, so they refer to no one kind.
      actors: 'string[]',
      delegatedActors: 'string[]',
      targetDocumentId: { type: 'string', refersTo: { to: 'document' } },
      targetDocumentsIds: { type: 'string[]', refersTo: { to: 'document' } },
      directive: 'string',
      accepted: 'boolean',
      dueDate: 'date',
      name: 'string',
      type: 'string',
      processId: { type: 'string', refersTo: { to: 'document' } },
      processName: 'string',
      task_variables: keysAndValues,
      taskComments: {
        type: 'complex[]',
        fields: {
          author: { type: 'string', refersTo: { to: 'user' } },
          text: 'string',
          creationDate: 'date',
        },
      },
    },
  },
  {
    name: 'document_route_instance',
    prefix: 'docri',
    fields: {
      initiator: { type: 'string', refersTo: { to: 'user' } },
      modelId: { type: 'string', refersTo: { to: 'document' } },
      modelName: 'string',
      participatingDocuments: { type: 'string[]', refersTo: { to: 'document' } },
      variablesFacet: 'string',
      availabilityFilter: 'string',
    },
  },
  { name: 'step_folder', prefix: 'stepf', fields: { execution: 'string' } },
  {
    name: 'route_node',
    prefix: 'rnode',
    fields: {
      nodeId: 'string',
      start: 'boolean',
      stop: 'boolean',
      merge: 'string',
      count: 'long',
      canceled: 'long',
      startDate: 'date',
      endDate: 'date',
      lastActor: { type: 'string', refersTo: { to: 'user' } },
      inputChain: 'string',
      outputChain: 'string',
      taskX: 'string',
      taskY: 'string',
      transitions: {
        type: 'complex[]',
        fields: {
          name: 'string',
          label: 'string',
          targetId: 'string',
          condition: 'string',
          chain: 'string',
          result: 'boolean',
          path: { type: 'complex[]', fields: { x: 'double', y: 'double' } },
        },
      },
      executeOnlyFirstTransition: 'boolean',
      hasTask: 'boolean',
      hasMultipleTasks: 'boolean',
      taskDocType: 'string',
      taskDirective: 'string',
      taskDueDate: 'date',
      taskDueDateExpr: 'string',
      taskLayout: 'string',
      taskNotificationTemplate: 'string',
      taskAssignees: 'string[]',
      taskAssigneesExpr: 'string',
      taskAssigneesPermission: 'string',
      allowTaskReassignment: 'boolean',
      taskButtons: {
        type: 'complex[]',
        fields: { name: 'string', label: 'string', filter: 'string', validate: 'boolean' },
      },
      tasksInfo: {
        type: 'complex[]',
        fields: {
          taskDocId: { type: 'string', refersTo: { to: 'document' } },
          actor: { type: 'string', refersTo: { to: 'user' } },
          comment: 'string',
          status: 'string',
          ended: 'boolean',
        },
      },
      escalationRules: {
        type: 'complex[]',
        fields: {
          name: 'string',
          label: 'string',
          condition: 'string',
          chain: 'string',
          multipleExecution: 'boolean',
          executed: 'boolean',
        },
      },
      variablesFacet: 'string',
      subRouteInstanceId: { type: 'string', refersTo: { to: 'document' } },
      subRouteModelExpr: 'string',
      subRouteVariables: keysAndValues,
    },
  },
  {
    name: 'var_SerialDocumentReview',
    fields: {
      participants: 'string[]',
      index: { type: 'long', default: 0 },
      validationOrReview: {
        type: 'string',
        refersTo: { to: 'directory', directory: 'WorkflowType' },
        default: 'validation',
      },
      initiatorComment: 'string',
    },
  },
  {
    name: 'var_ParallelDocumentReview',
    fields: {
      participants: 'string[]',
      end_date: 'date',
      validationOrReview: { type: 'string', refersTo: { to: 'directory', directory: 'WorkflowType' } },
      initiatorComment: 'string',
      review_result: {
        type: 'complex[]',
        fields: { participant: 'string', result: 'string', comment: 'string' },
      },
      review_result_file: 'blob',
    },
  },
];
