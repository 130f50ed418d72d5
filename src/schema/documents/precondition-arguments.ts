import { builder } from '../../graphql/builder.ts';

/** The preconditions of a write. In REST, they are the headers `If-Match` and `If-None-Match`. */
export const preconditionArguments = builder.args((t) => ({
  ifMatch: t.stringList({
    description: 'Change tokens, one of which must be the current one of the document.',
  }),
  ifNoneMatch: t.stringList({
    description: 'Change tokens, none of which may be the current one of the document; `*` stands for any.',
  }),
}));
