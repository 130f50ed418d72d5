import { signJwt } from '../../auth/jwt.ts';
import { Invalid, NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { accountOf } from '../../loaders/authorities/account.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { requireNotEnded, requirePassword } from '../../store/tokens/credentials.ts';

/** The maximum lifetime in seconds: a century. */
const maxSeconds = 3_155_760_000;

builder.mutationField('createJwt', (t) =>
  t.string({
    description:
      'A JWT for the caller, who must authenticate with a password. Administrators can specify another user (§5).',
    args: {
      username: t.arg.string({ required: true }),
      seconds: t.arg.float({ defaultValue: 3600, description: 'The lifetime in seconds.' }),
      audience: t.arg.string({
        description: 'The path at or below which the JWT is valid, such as "api/v1".',
      }),
    },
    resolve: async (_, { username, seconds, audience }, { services, db, user }) => {
      const { secrets } = services;
      requirePassword(user, 'create a JWT');
      if (!secrets.jwt) throw new Invalid('This server does not issue JWTs, because JWT_SECRET is not set.');
      if (typeof seconds === 'number' && !(seconds >= 1 && seconds <= maxSeconds)) {
        throw new Invalid(`seconds must be between 1 and ${maxSeconds}; got ${seconds}.`);
      }
      if (username !== user.id) requireAdministrator(user, `create a JWT for ${username}`);
      await requireNotEnded(db, user);
      if (!(await accountOf(db, username, services))) throw new NotFound(`There is no user ${username}.`);
      return signJwt(secrets.jwt, { username, audience, seconds: seconds && Math.floor(seconds) });
    },
  }),
);
