import { date, flag, text } from './kinds.ts';
import { optional, optionally } from './params.ts';

/** Which ACL an operation changes. */
export const aclParam = optionally(text, 'local', 'The name of the ACL.');

/** When an ACE counts, and what its user is told of it. */
export const aclTimes = {
  begin: optional(date, 'From when on it counts.'),
  end: optional(date, 'Until when it counts.'),
  notify: optionally(flag, false, 'Whether the user is told once it counts.'),
  comment: optional(text, 'Words for the user.'),
};
