import { signJwt } from '../../auth/jwt.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { accountOf } from '../../loaders/authorities/account.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { requireNotEnded, requirePassword } from '../../store/tokens/credentials.ts';

/** The maximum lifetime in seconds: a century. */
const longest = 3_155_760_000;

builder.mutationField('createJwt', (t) =>
  t.string({
    description:
      'A JWT for the caller, or for any user when the caller is an administrator (§5); for callers with a password.',
    args: {
      username: t.arg.string({ required: true }),
      seconds: t.arg.float({ defaultValue: 3600, description: 'Its lifetime.' }),
      audience: t.arg.string({
        description: 'The path at or below which it is valid, for example "api/v1".',
      }),
    },
    resolve: async (_, { username, seconds, audience }, { services: { secrets }, db, user }) => {
      requirePassword(user, 'a JWT');
      if (!secrets.jwt) throw new Invalid('there are no JWTs here: JWT_SECRET is not set');
      if (typeof seconds === 'number' && !(seconds >= 1 && seconds <= longest)) {
        throw new Invalid(`seconds: ${seconds} is not between 1 and ${longest}`);
      }
      if (username !== user.id) requireAdministrator(user, `make a JWT for ${username}`);
      await requireNotEnded(db, user);
      if (!(await accountOf(db, username))) throw new NotFound(`there is no user ${username}`);
      return signJwt(secrets.jwt, { username, audience, seconds: seconds && Math.floor(seconds) });
    },
  }),
);
