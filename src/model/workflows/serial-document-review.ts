import type { ButtonDefinition, WorkflowDefinition } from './definition.ts';
import { reviewed } from './reviewed.ts';

const label = (key: string): string => `wf.serialDocumentReview.${key}`;

const button = (name: string, key: string, validate = true): ButtonDefinition => ({
  ...{ name, label: label(key), validate },
});

const settings = ['participants', 'validationOrReview', 'initiatorComment'];

/** Participants review one after the other; who rejects sends it back to the one before. */
export const serialDocumentReview: WorkflowDefinition = {
  name: 'SerialDocumentReview',
  title: label('SerialDocumentReview'),
  variables: 'var_SerialDocumentReview',
  keeps: ['index'],
  runsOn: { types: ['Audio', 'File', 'Note', 'Picture', 'Video'], notIn: ['approved'] },
  nodes: [
    {
      id: 'Task38e',
      title: label('chooseParticipants'),
      place: { x: 50, y: 50 },
      task: {
        name: label('chooseParticipants'),
        directive: label('pleaseSelect'),
        actors: 'initiator',
        due: { days: 5 },
        shows: settings,
        takes: settings,
        needs: ['participants', 'validationOrReview'],
        buttons: [button('cancel', 'cancel', false), button('start_review', 'startWorkflow')],
      },
      transitions: [
        { to: 'Task5c1', button: 'cancel' },
        { to: 'Task6d8', button: 'start_review', changes: [{ variable: 'index', set: 0 }] },
      ],
    },
    {
      id: 'Task6d8',
      title: label('AcceptReject'),
      place: { x: 50, y: 200 },
      task: {
        name: label('AcceptReject'),
        directive: label('AcceptReject'),
        actors: { variable: 'participants', at: 'index' },
        due: { days: 5 },
        permission: 'ReadWrite',
        reassignable: true,
        shows: settings,
        buttons: [button('reject', 'reject'), button('validate', 'approve')],
      },
      transitions: [
        { to: 'Next', button: 'validate', changes: [{ variable: 'index', add: 1 }] },
        { to: 'Previous', button: 'reject', changes: [{ variable: 'index', add: -1 }] },
      ],
    },
    {
      id: 'Next',
      place: { x: 250, y: 200 },
      transitions: [
        { to: 'Task6d8', when: [{ variable: 'index', within: 'participants' }] },
        { to: 'Approved', when: [{ variable: 'validationOrReview', is: 'validation' }] },
        { to: 'Task5c1' },
      ],
    },
    {
      id: 'Previous',
      place: { x: 250, y: 350 },
      transitions: [{ to: 'Task542', when: [{ variable: 'index', below: 0 }] }, { to: 'Task6d8' }],
    },
    {
      id: 'Task542',
      title: label('updateRequest'),
      place: { x: 450, y: 350 },
      task: {
        name: label('updateRequest'),
        directive: label('updateRequest'),
        actors: 'initiator',
        due: { days: 5 },
        shows: settings,
        takes: settings,
        needs: ['participants', 'validationOrReview'],
        buttons: [button('cancel', 'cancel', false), button('submit', 'submit')],
      },
      transitions: [
        { to: 'Task5c1', button: 'cancel' },
        { to: 'Task6d8', button: 'submit', changes: [{ variable: 'index', set: 0 }] },
      ],
    },
    { id: 'Approved', place: { x: 450, y: 200 }, deeds: reviewed, transitions: [{ to: 'Task5c1' }] },
    { id: 'Task5c1', title: label('end'), place: { x: 650, y: 50 } },
  ],
};
