import { builder } from '../../graphql/builder.ts';

/** The conditions of a write, `If-Match` and `If-None-Match` in REST. */
export const preconditionArguments = builder.args((t) => ({
  ifMatch: t.stringList({ description: "Change tokens, one of which must be the document's." }),
  ifNoneMatch: t.stringList({
    description: "Change tokens, none of which may be the document's; `*` stands for every state.",
  }),
}));
