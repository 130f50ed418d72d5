import type { AuthorityRow } from '../../../loaders/authorities/authorities.ts';
import type { SearchableField } from '../../../loaders/authorities/users-by-fields.ts';
import type { Context } from '../../../loaders/context.ts';
import { maxPageSize } from '../../../loaders/lists/page.ts';
import { operation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';

const shownFields = ['username', 'firstName', 'lastName', 'email', 'company', 'tenantId'];

const toJson = ({ id, properties }: AuthorityRow) =>
  Object.fromEntries(
    shownFields.map((name) => [name, name === 'username' ? id : (properties[name] ?? null)]),
  );

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

export const userQuery = operation({
  id: 'User.Query',
  label: 'Query Users',
  category: 'Users & Groups',
  description: 'Returns at most 1000 users whose fields begin with the given strings, regardless of case.',
  example: { params: { pattern: 'in' } },
  gives: 'json',
  params: {
    username: shortText.optional('The beginning of the user name.'),
    firstName: text.optional('The beginning of the first name.'),
    lastName: text.optional('The beginning of the last name.'),
    email: text.optional('The beginning of the e-mail address.'),
    company: text.optional('The beginning of the company.'),
    tenantId: text.optional('The beginning of the tenant.'),
    pattern: text.optional('The beginning of the user name, first or last name; overrides all others.'),
  },
  run: async (context, _, { pattern = '', ...fields }) => ({
    users: (await find(context, pattern.trim(), fields)).map(toJson),
  }),
});
