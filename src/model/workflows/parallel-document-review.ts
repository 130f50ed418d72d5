import type { WorkflowDefinition } from './definition.ts';
import { approvalActions, reviewParts } from './review-parts.ts';

const settings = ['participants', 'end_date', 'validationOrReview', 'initiatorComment'];

const { label, button, step, settingsTask } = reviewParts('wf.parallelDocumentReview', settings);

/**
 * All participants review at the same time, and then the initiator decides. The document stays locked until the
 * decision.
 */
export const parallelDocumentReview: WorkflowDefinition = {
  name: 'ParallelDocumentReview',
  title: label('ParallelDocumentReview'),
  variables: 'var_ParallelDocumentReview',
  keeps: ['review_result', 'review_result_file'],
  runsOn: {
    types: ['Audio', 'File', 'Note', 'Picture', 'Video'],
    notIn: ['approved'],
    unlocked: true,
  },
  whenCanceled: [{ do: 'unlock' }],
  nodes: [
    step('Task21a0', 'start', {
      place: { x: 50, y: 50 },
      actions: [{ do: 'lock' }],
      transitions: [{ to: 'Task2556' }],
    }),
    step('Task2556', 'chooseParticipants', {
      place: { x: 50, y: 200 },
      task: settingsTask('chooseParticipants', {
        directive: 'pleaseSelect',
        days: 1,
        submit: button('start_review', 'startReview'),
      }),
      transitions: [
        { to: 'End', button: 'cancel' },
        { to: 'Task328d', button: 'start_review' },
      ],
    }),
    step('Task328d', 'giveOpinion', {
      place: { x: 250, y: 200 },
      task: {
        name: label('giveOpinion'),
        directive: label('giveOpinion'),
        actors: { variable: 'participants' },
        due: { variable: 'end_date' },
        permission: 'Read',
        shows: [...settings, 'review_result'],
        buttons: [button('NA', 'na'), button('approve'), button('reject')],
        records: 'review_result',
      },
      transitions: [{ to: 'Task2169' }],
    }),
    step('Task2169', 'consolidate', {
      place: { x: 450, y: 200 },
      task: {
        name: label('consolidate'),
        directive: label('consolidate'),
        actors: 'initiator',
        due: { days: 5 },
        permission: 'ReadWrite',
        shows: [...settings, 'review_result'],
        buttons: [button('reject'), button('validate')],
      },
      transitions: [
        {
          to: 'Approved',
          button: 'validate',
          when: [{ variable: 'validationOrReview', is: 'validation' }],
        },
        { to: 'End' },
      ],
    }),
    { id: 'Approved', place: { x: 450, y: 50 }, actions: approvalActions, transitions: [{ to: 'End' }] },
    { id: 'End', title: label('end'), place: { x: 650, y: 50 }, actions: [{ do: 'unlock' }] },
  ],
};
