import { describe, expect, test } from '@jest/globals';
import { stockModel } from '../../src/model/contributed/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';
import { contributedShape } from '../../src/model/definitions.ts';
import type { Model } from '../../src/model/model.ts';
import { ModelError } from '../../src/model/model-error.ts';
import type { TaskDefinition, WorkflowDefinition } from '../../src/model/workflows/definition.ts';
import { advance, initialProgress, isEndNode } from '../../src/model/workflows/progress.ts';

const variables = {
  name: 'v',
  fields: {
    people: 'string[]',
    place: 'long',
    day: 'date',
    word: 'string',
    answers: { type: 'complex[]', fields: { participant: 'string', result: 'string', comment: 'string' } },
    others: { type: 'complex[]', fields: { participant: 'string' } },
  },
} as const;

const task: TaskDefinition = {
  name: 't',
  directive: 'd',
  actors: 'initiator',
  shows: ['word'],
  takes: ['word'],
  buttons: [
    { name: 'yes', label: 'Yes', validate: true },
    { name: 'no', label: 'No', validate: false },
  ],
};

const valid: WorkflowDefinition = {
  name: 'W',
  title: 'W',
  variables: 'v',
  keeps: ['place'],
  runsOn: { types: ['File'] },
  nodes: [{ id: 'a', task, transitions: [{ to: 'b' }] }, { id: 'b' }],
};

const modelOf = (...workflows: readonly unknown[]): Model => {
  const read = contributedShape.parse({ schemas: [variables], workflows });
  return createModel({
    ...stockModel,
    schemas: [...stockModel.schemas, ...(read.schemas ?? [])],
    workflows: read.workflows ?? [],
  });
};

const placesOf = (workflow: unknown): string[] => {
  try {
    modelOf(workflow);
    return [];
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.faults.map(({ location, fault }) => `${location}: ${fault}`);
  }
};

const [first, last] = valid.nodes;
/** The model with another first node. */
const startingWith = (node: object) => ({ ...valid, nodes: [{ ...first, ...node }, last] });

describe('workflow models', () => {
  test('a valid model has no errors and is found by its name', () => {
    expect(placesOf(valid)).toEqual([]);
    expect(modelOf(valid).workflows.get('W')?.start.id).toBe('a');
  });

  test.each<[string, unknown, string]>([
    ['an unknown schema', { ...valid, variables: 'x' }, 'workflows.W.variables: there is no schema x'],
    ['an unknown variable', { ...valid, keeps: ['x'] }, 'workflows.W.keeps[0]: v has no field x'],
    [
      'an unknown type',
      { ...valid, runsOn: { types: ['X'] } },
      'workflows.W.runsOn.types[0]: there is no type X',
    ],
    [
      'one id twice',
      { ...valid, nodes: [first, last, last] },
      'workflows.W.nodes: two nodes have the same id',
    ],
    [
      'an unknown node',
      startingWith({ transitions: [{ to: 'x' }] }),
      'workflows.W.nodes[0].transitions[0].to: there is no node x',
    ],
    [
      'an unknown button',
      startingWith({ transitions: [{ to: 'b' }, { to: 'b', button: 'x' }] }),
      'workflows.W.nodes[0].transitions[1].button: there is no button x',
    ],
    [
      'a button that leads nowhere',
      startingWith({ transitions: [{ to: 'b', button: 'yes' }] }),
      'workflows.W.nodes[0].transitions: there must be a transition without conditions for the button no',
    ],
    [
      'conditions that may all fail',
      {
        ...valid,
        nodes: [{ id: 'a', transitions: [{ to: 'b', when: [{ variable: 'place', below: 0 }] }] }, last],
      },
      'workflows.W.nodes[0].transitions: there must be a transition without conditions',
    ],
    [
      'a circle without a task',
      { ...valid, nodes: [{ id: 'a', transitions: [{ to: 'a' }] }, last] },
      'workflows.W.nodes: a is in a cycle of nodes without tasks',
    ],
    [
      'actors that are no list',
      startingWith({ task: { ...task, actors: { variable: 'word' } } }),
      'workflows.W.nodes[0].task.actors.variable: word is not a string[]',
    ],
    [
      'a place that is no number',
      startingWith({ task: { ...task, actors: { variable: 'people', at: 'word' } } }),
      'workflows.W.nodes[0].task.actors.at: word is not a long',
    ],
    [
      'a date that is none',
      startingWith({ task: { ...task, due: { variable: 'word' } } }),
      'workflows.W.nodes[0].task.due.variable: word is not a date',
    ],
    [
      'what is taken and not shown',
      startingWith({ task: { ...task, takes: ['day'] } }),
      'workflows.W.nodes[0].task.takes[0]: day is not in "shows"',
    ],
    [
      'answers without places for them',
      startingWith({ task: { ...task, records: 'others' } }),
      'workflows.W.nodes[0].task.records: others must have the string fields participant, result, comment',
    ],
    [
      'a change of another type',
      startingWith({ transitions: [{ to: 'b', changes: [{ variable: 'place', set: 'x' }] }] }),
      'workflows.W.nodes[0].transitions[0].changes[0].set: "x" is not a long',
    ],
    [
      'a sum of words',
      startingWith({ transitions: [{ to: 'b', changes: [{ variable: 'word', add: 1 }] }] }),
      'workflows.W.nodes[0].transitions[0].changes[0].variable: word is not a long',
    ],
    [
      'a place in what is no list',
      startingWith({
        transitions: [{ to: 'b', when: [{ variable: 'place', within: 'word' }] }, { to: 'b' }],
      }),
      'workflows.W.nodes[0].transitions[0].when[0].within: word is not a string[]',
    ],
    [
      'the trash',
      startingWith({ actions: [{ do: 'follow', transition: 'delete' }] }),
      'workflows.W.nodes[0].actions[0].transition: there is no transition delete',
    ],
  ])('%s is reported with its location', (_, workflow, fault) => expect(placesOf(workflow)).toEqual([fault]));

  test.each<[string, unknown]>([
    ['no nodes', { ...valid, nodes: [] }],
    ['no buttons', startingWith({ task: { ...task, buttons: [] } })],
    [
      'a button that is an address of its own',
      startingWith({ task: { ...task, buttons: [{ ...task.buttons[0], name: 'reassign' }] } }),
    ],
    ['an unknown right', startingWith({ task: { ...task, permission: 'Everything' } })],
    ['an unknown action', startingWith({ actions: [{ do: 'print' }] })],
    ['an unknown key', { ...valid, color: 'red' }],
  ])('%s is refused by the shape of the file', (_, workflow) =>
    expect(contributedShape.safeParse({ workflows: [workflow] }).success).toBe(false),
  );
});

describe('the progress of a workflow', () => {
  const described = modelOf({
    ...valid,
    nodes: [
      {
        id: 'start',
        actions: [{ do: 'lock' }],
        transitions: [{ to: 'ask', changes: [{ variable: 'place', set: 0 }] }],
      },
      {
        id: 'ask',
        task,
        transitions: [
          { to: 'count', button: 'yes', changes: [{ variable: 'place', add: 1 }] },
          { to: 'end', button: 'no' },
        ],
      },
      {
        id: 'count',
        transitions: [{ to: 'ask', when: [{ variable: 'place', within: 'people' }] }, { to: 'end' }],
      },
      { id: 'end', actions: [{ do: 'unlock' }] },
    ],
  }).workflows.get('W');
  if (!described) throw new Error('there is no such model');

  test('advances to the next task or end node and collects the actions in between', () => {
    const people = ['a', 'b'];
    const atTask = initialProgress(described, { people });
    expect([atTask.node.id, atTask.variables, atTask.actions]).toEqual([
      'ask',
      { people, place: 0 },
      [{ do: 'lock' }],
    ]);
    const again = advance(described, { ...atTask, actions: [], passed: [] }, 'yes');
    expect([again.node.id, again.variables.place, again.actions]).toEqual(['ask', 1, []]);
    const done = advance(described, { ...again, actions: [], passed: [] }, 'yes');
    expect([done.node.id, done.variables.place, done.actions]).toEqual(['end', 2, [{ do: 'unlock' }]]);
    expect([isEndNode(atTask.node), isEndNode(done.node)]).toEqual([false, true]);
    expect(advance(described, { ...atTask, actions: [], passed: [] }, 'no').node.id).toBe('end');
  });
});
