import type { Context } from '../../context.ts';
import type { AuthorityRow } from '../../loaders/authorities.ts';
import { maxPageSize } from '../../loaders/children.ts';
import type { SearchableField } from '../../loaders/users-by-fields.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** What is told of each user. */
const told = ['username', 'firstName', 'lastName', 'email', 'company', 'tenantId'];

const show = ({ id, properties }: AuthorityRow) =>
  Object.fromEntries(told.map((name) => [name, name === 'username' ? id : (properties[name] ?? null)]));

/** Users whose name begins with the pattern; else those whose fields begin as they should. */
async function find(
  { load }: Context,
  pattern: string,
  fields: Readonly<Partial<Record<SearchableField, string | undefined>>>,
): Promise<readonly AuthorityRow[]> {
  if (pattern !== '') {
    const page = { prefix: pattern, after: undefined, pageSize: maxPageSize, offset: 0 };
    return (await load.users(page)).rows;
  }
  return load.usersByFields(fields, maxPageSize);
}

/** Users by what their fields begin with. */
export const userQuery = operation({
  id: 'User.Query',
  label: 'Query Users',
  category: 'Users & Groups',
  description: 'Answers users whose fields begin with these texts, in any case: at most 1000.',
  kind: 'query',
  takes: ['void'],
  gives: 'json',
  params: {
    username: optional(text, 'What the user name begins with.'),
    firstName: optional(text, 'What the first name begins with.'),
    lastName: optional(text, 'What the last name begins with.'),
    email: optional(text, 'What the e-mail address begins with.'),
    company: optional(text, 'What the company begins with.'),
    tenantId: optional(text, 'What the tenant begins with.'),
    pattern: optional(text, 'What user name, first or last name begins with; stands instead of all others.'),
  },
  run: async (context, _, { pattern = '', ...fields }) => ({
    users: (await find(context, pattern.trim(), fields)).map(show),
  }),
});
