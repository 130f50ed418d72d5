import { builder } from '../../graphql/builder.ts';

/** The conditions of a write, `If-Match` and `If-None-Match` in REST. */
export const preconditionArguments = builder.args((t) => ({
  ifMatch: t.stringList({ description: 'The change tokens of which the document must have one.' }),
  ifNoneMatch: t.stringList({
    description: 'The change tokens of which the document must have none; `*` means any state.',
  }),
}));
