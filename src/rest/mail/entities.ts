import { entityType, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';

const mail: Selection = {
  'entity-type': entityType,
  id: true,
  status: true,
  createdBy: true,
  createdAt: true,
  to: true,
  cc: true,
  bcc: true,
  replyTo: true,
  subject: true,
  text: true,
  isHtml: true,
  files: true,
  attempts: true,
  sentAt: true,
  error: true,
};

export const mailsSelection: Selection = { ...pageSelection, entries: mail };
