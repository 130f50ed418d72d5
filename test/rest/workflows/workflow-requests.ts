import type supertest from 'supertest';
import { setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { as } from '../../support/users.ts';

/** A task in a JSON answer. */
export interface TaskEntity {
  readonly 'entity-type': 'task';
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly nodeName: string;
  readonly created: string;
  readonly dueDate: string | null;
  readonly actors: ReadonlyArray<{ readonly id: string }>;
  readonly workflowInstanceId: string;
  readonly workflowLifeCycleState: string;
  readonly variables: Record<string, unknown>;
  readonly comments: readonly unknown[];
}

/** A workflow in a JSON answer. */
export interface WorkflowEntity {
  readonly id: string;
  readonly state: string;
  readonly variables: Record<string, unknown>;
}

type Agent = ReturnType<typeof supertest.agent>;

/** Requests about workflows, on a server. */
export function reviewing(server: TestServer) {
  const agent = (user: string): Agent => (user === 'Administrator' ? server.request : as(server, user));

  /** Creates a file with permissions for these users only. */
  async function fileFor(rights: Readonly<Record<string, string>>, type = 'File'): Promise<DocumentEntity> {
    const file = await createDocument(server, { type });
    const aces = Object.entries(rights).map(([username, permission]) => ({ username, permission }));
    await setAcl(server, file.path, [
      ...aces,
      { username: 'Everyone', permission: 'Everything', granted: false },
    ]);
    return file;
  }

  const start = (user: string, model: string, documents: readonly unknown[], variables?: object) =>
    agent(user)
      .post('/api/v1/workflow')
      .send({
        'entity-type': 'workflow',
        workflowModelName: model,
        attachedDocumentIds: documents,
        ...(variables && { variables }),
      });

  const end = (user: string, task: { readonly id: string }, action: string, more: object = {}) =>
    agent(user)
      .put(`/api/v1/task/${task.id}/${action}`)
      .send({ 'entity-type': 'task', id: task.id, ...more });

  /** Returns the open tasks of a workflow, as administrator. */
  async function open(workflow: { readonly id: string }): Promise<TaskEntity[]> {
    const { body } = await server.request
      .get(`/api/v1/task?workflowInstanceId=${workflow.id}&pageSize=0`)
      .expect(200);
    return body.entries;
  }

  /** Returns the only open task of a workflow. */
  async function only(workflow: { readonly id: string }): Promise<TaskEntity> {
    const [task, ...others] = await open(workflow);
    if (!task || others.length > 0) throw new Error(`${others.length + (task ? 1 : 0)} tasks are open`);
    return task;
  }

  /** Starts a workflow and ends its first task. */
  async function begun(user: string, model: string, document: DocumentEntity, variables: object) {
    const { body } = await start(user, model, [document.uid]).expect(201);
    await end(user, await only(body), 'start_review', { variables }).expect(200);
    return body as WorkflowEntity;
  }

  const state = async (workflow: { readonly id: string }): Promise<string> =>
    (await server.request.get(`/api/v1/workflow/${workflow.id}`).expect(200)).body.state;

  const document = async (uid: string, enrichers = 'acls') =>
    (await server.request.get(`/api/v1/id/${uid}`).set('enrichers.document', enrichers).expect(200)).body;

  return { agent, fileFor, start, end, open, only, begun, state, document };
}
