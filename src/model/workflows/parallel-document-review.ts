import type { ButtonDefinition, WorkflowDefinition } from './definition.ts';
import { reviewed } from './reviewed.ts';

const label = (key: string): string => `wf.parallelDocumentReview.${key}`;

const button = (name: string, key: string, validate = true): ButtonDefinition => ({
  ...{ name, label: label(key), validate },
});

const settings = ['participants', 'end_date', 'validationOrReview', 'initiatorComment'];

/** All participants review at once; then the initiator makes one answer of theirs. Meanwhile the document is locked. */
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
    {
      id: 'Task21a0',
      title: label('start'),
      place: { x: 50, y: 50 },
      deeds: [{ do: 'lock' }],
      transitions: [{ to: 'Task2556' }],
    },
    {
      id: 'Task2556',
      title: label('chooseParticipants'),
      place: { x: 50, y: 200 },
      task: {
        name: label('chooseParticipants'),
        directive: label('pleaseSelect'),
        actors: 'initiator',
        due: { days: 1 },
        shows: settings,
        takes: settings,
        needs: ['participants', 'validationOrReview'],
        buttons: [button('cancel', 'cancel', false), button('start_review', 'startReview')],
      },
      transitions: [
        { to: 'End', button: 'cancel' },
        { to: 'Task328d', button: 'start_review' },
      ],
    },
    {
      id: 'Task328d',
      title: label('giveOpinion'),
      place: { x: 250, y: 200 },
      task: {
        name: label('giveOpinion'),
        directive: label('giveOpinion'),
        actors: { variable: 'participants' },
        due: { variable: 'end_date' },
        permission: 'Read',
        shows: [...settings, 'review_result'],
        buttons: [button('NA', 'na'), button('approve', 'approve'), button('reject', 'reject')],
        records: 'review_result',
      },
      transitions: [{ to: 'Task2169' }],
    },
    {
      id: 'Task2169',
      title: label('consolidate'),
      place: { x: 450, y: 200 },
      task: {
        name: label('consolidate'),
        directive: label('consolidate'),
        actors: 'initiator',
        due: { days: 5 },
        permission: 'ReadWrite',
        shows: [...settings, 'review_result'],
        buttons: [button('reject', 'reject'), button('validate', 'validate')],
      },
      transitions: [
        {
          ...{ to: 'Approved', button: 'validate' },
          when: [{ variable: 'validationOrReview', is: 'validation' }],
        },
        { to: 'End' },
      ],
    },
    { id: 'Approved', place: { x: 450, y: 50 }, deeds: reviewed, transitions: [{ to: 'End' }] },
    { id: 'End', title: label('end'), place: { x: 650, y: 50 }, deeds: [{ do: 'unlock' }] },
  ],
};
