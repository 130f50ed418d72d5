import { Invalid } from '../../../errors.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * The maximum number of characters in the message and the category together. It is low, because every user can
 * write to the log.
 */
const maxLength = 2000;

export const log = operation({
  id: 'Log',
  label: 'Log',
  category: 'Notification',
  description: 'Writes a line to the log of the server.',
  example: { params: { message: 'The import has ended', level: 'info' } },
  kind: 'mutation',
  gives: 'void',
  params: {
    message: text.required('The message. It and the category can have at most 2000 characters together.'),
    category: text.withDefault('automation', 'The category.'),
    level: text.withDefault('info', 'The level.', { values: levels }),
  },
  run: async ({ services: { log: logger }, user }, _, { message, category, level }) => {
    if (message.length + category.length > maxLength)
      throw new Invalid(
        `message must have at most ${maxLength} characters, including the category; it has ${message.length + category.length}.`,
      );
    const known = levels.find((each) => each === level) ?? 'info';
    logger[known]({ category, user: user.id }, message);
    return null;
  },
});
