import { builder } from '../../graphql/builder.ts';
import { endCredentials } from '../../store/tokens/credentials.ts';

builder.mutationField('endCredentials', (t) =>
  t.id({
    description:
      'Revokes the login tokens, OAuth tokens and JWTs of a user, but not the password. Only for that user and for administrators.',
    args: { username: t.arg.id({ required: true }) },
    resolve: (_, { username }, context) => endCredentials(context, username),
  }),
);
