import type { WorkflowDefinition } from './definition.ts';
import { approvalActions, reviewParts } from './review-parts.ts';

const settings = ['participants', 'validationOrReview', 'initiatorComment'];

const { label, button, step, settingsTask } = reviewParts('wf.serialDocumentReview', settings);

/** Participants review in turn; a rejection returns the task to the previous participant. */
export const serialDocumentReview: WorkflowDefinition = {
  name: 'SerialDocumentReview',
  title: label('SerialDocumentReview'),
  variables: 'var_SerialDocumentReview',
  keeps: ['index'],
  runsOn: { types: ['Audio', 'File', 'Note', 'Picture', 'Video'], notIn: ['approved'] },
  nodes: [
    step('Task38e', 'chooseParticipants', {
      place: { x: 50, y: 50 },
      task: settingsTask('chooseParticipants', {
        directive: 'pleaseSelect',
        days: 5,
        submit: button('start_review', 'startReview'),
      }),
      transitions: [
        { to: 'Task5c1', button: 'cancel' },
        { to: 'Task6d8', button: 'start_review', changes: [{ variable: 'index', set: 0 }] },
      ],
    }),
    step('Task6d8', 'AcceptReject', {
      place: { x: 50, y: 200 },
      task: {
        name: label('AcceptReject'),
        directive: label('AcceptReject'),
        actors: { variable: 'participants', at: 'index' },
        due: { days: 5 },
        permission: 'ReadWrite',
        reassignable: true,
        shows: settings,
        buttons: [button('reject', 'Reject'), button('validate', 'Validate')],
      },
      transitions: [
        { to: 'Next', button: 'validate', changes: [{ variable: 'index', add: 1 }] },
        { to: 'Previous', button: 'reject', changes: [{ variable: 'index', add: -1 }] },
      ],
    }),
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
    step('Task542', 'updateRequest', {
      place: { x: 450, y: 350 },
      task: settingsTask('updateRequest', {
        directive: 'updateRequest',
        days: 5,
        submit: button('submit'),
      }),
      transitions: [
        { to: 'Task5c1', button: 'cancel' },
        { to: 'Task6d8', button: 'submit', changes: [{ variable: 'index', set: 0 }] },
      ],
    }),
    { id: 'Approved', place: { x: 450, y: 200 }, actions: approvalActions, transitions: [{ to: 'Task5c1' }] },
    { id: 'Task5c1', title: label('end'), place: { x: 650, y: 50 } },
  ],
};
