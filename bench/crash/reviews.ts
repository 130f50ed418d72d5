import { answerOf, ask } from './ask.ts';
import type { Entry, Kind } from './ledger.ts';
import type { Random } from './random.ts';
import { approved, newState, type State } from './state.ts';
import { request, type Step } from './step.ts';

/** The states of a workflow. Each includes the nodes of its open tasks. */
const choosing = 'running: Task38e';
const reviewing = 'running: Task6d8';
const done = 'done: ';
const canceled = 'canceled: ';

const suffix = '@workflow';

/** A document that goes through a review workflow, from its creation to its deletion. */
export class Review {
  readonly document: Entry;
  readonly #workflow: Entry;
  readonly #random: Random;

  constructor(path: string, random: Random) {
    const nothing = { isFolder: false, uid: undefined, acknowledged: undefined };
    this.document = { ...nothing, path, sort: 'document' };
    this.#workflow = { ...nothing, path: `${path}/${suffix}`, sort: 'workflow' };
    this.#random = random;
  }

  #create(): Step {
    const { path } = this.document;
    const [parent, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    const body = { 'entity-type': 'document', type: 'File', name, properties: { 'dc:title': name } };
    const to = new Map<Entry, State>([[this.document, newState(name)]]);
    return {
      change: { kind: 'create', made: this.document, to },
      send: request(`/path${parent}`, 'POST', body),
    };
  }

  #start(): Step {
    const body = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' };
    return {
      change: { kind: 'start workflow', made: this.#workflow, to: new Map([[this.#workflow, choosing]]) },
      send: request(`/path${this.document.path}/${suffix}`, 'POST', body),
    };
  }

  /** Creates the step that completes the only open task. */
  #end(action: string, state: string, variables = {}): Step {
    const to = new Map<Entry, State>([[this.#workflow, state]]);
    if (state === done) to.set(this.document, approved(this.document.acknowledged ?? ''));
    const send = async (url: string): Promise<Response> => {
      const open = await ask(url, `/path${this.document.path}/${suffix}/${this.#workflow.uid}/task`);
      if (!open.ok) return open;
      const { entries } = (await open.json()) as { entries: Array<{ id: string }> };
      return ask(url, `/task/${entries[0]?.id}/${action}`, 'PUT', { 'entity-type': 'task', variables });
    };
    return { change: { kind: 'end task', to }, send };
  }

  #remove(kind: Kind, entries: readonly Entry[], state: State, path: string): Step {
    return {
      change: { kind, to: new Map(entries.map((entry) => [entry, state])) },
      send: request(path, 'DELETE'),
    };
  }

  /** Returns the next step in the document's life. */
  next(): Step {
    const { uid, acknowledged } = this.#workflow;
    if (this.document.acknowledged === undefined) return this.#create();
    if (acknowledged === undefined) return this.#start();
    if ([choosing, reviewing].includes(acknowledged) && this.#random.chance(6))
      return this.#remove('cancel workflow', [this.#workflow], canceled, `/workflow/${uid}`);
    if (acknowledged === choosing)
      return this.#end('start_review', reviewing, {
        participants: ['user:Administrator'],
        validationOrReview: 'validation',
      });
    if (acknowledged === reviewing) return this.#end('validate', done);
    return this.#remove('delete', [this.document, this.#workflow], undefined, `/path${this.document.path}`);
  }
}

interface Entity {
  readonly id: string;
  readonly state: string;
  readonly nodeName: string;
}

interface Entities {
  readonly entries: readonly Entity[];
}

/** Reads the state of a workflow by its id or, if the id is unknown, the state of the document's running workflow. */
export async function shownWorkflow(
  url: string,
  { path, uid }: Entry,
): Promise<{ uid: string; state: string } | undefined> {
  const listed = (uid === undefined ? await answerOf(url, `/path${path}`) : undefined) as
    | Entities
    | undefined;
  const workflow = listed?.entries[0] ?? (uid && (await answerOf(url, `/workflow/${uid}`)));
  if (!workflow) return undefined;
  const { id, state } = workflow as Entity;
  const tasks = (await answerOf(url, `/task?workflowInstanceId=${id}`)) as Entities;
  return { uid: id, state: `${state}: ${tasks.entries.map(({ nodeName }) => nodeName).join()}` };
}
