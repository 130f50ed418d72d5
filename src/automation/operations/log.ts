import { Invalid } from '../../errors.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** Characters of a message: whoever may log in may write here. */
const longest = 2000;

/** A line in the log of the server. */
export const log = operation({
  id: 'Log',
  label: 'Log',
  category: 'Notification',
  description: 'Writes a line into the log of the server.',
  kind: 'mutation',
  takes: ['void'],
  gives: 'void',
  params: {
    message: required(text, 'What is written, at most 2000 characters.'),
    category: optionally(text, 'automation', 'What it is about.'),
    level: optionally(text, 'info', 'How grave it is.', { values: levels }),
  },
  run: async ({ log: logger, user }, _, { message, category, level }) => {
    if (message.length + category.length > longest)
      throw new Invalid(`message: ${message.length} characters, at most ${longest}`);
    const known = levels.find((each) => each === level) ?? 'info';
    logger[known]({ category, user: user.id }, message);
    return null;
  },
});
