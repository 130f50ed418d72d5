import { InvalidArgumentError } from 'commander';
import { signJwt } from '../../auth/jwt.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { exitCode } from '../exit-codes.ts';
import { runs } from '../run-command.ts';
import type { QuireCommand } from '../surroundings.ts';

const positive = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('must be a positive integer.');
  return Number(text);
};

export function tokenCommand(command: QuireCommand): void {
  command
    .argument('<user>', 'the user name')
    .option('--seconds <number>', 'the lifetime of the token', positive, 3600)
    .option('--audience <path>', 'restrict the token to this path, such as api/v1, and paths below it');
  runs<{ seconds: number; audience?: string }>(
    command,
    async ({ result }, { args, options, surroundings }) => {
      const { JWT_SECRET } = readConfig(surroundings.env);
      if (!JWT_SECRET)
        throw new ConfigError('JWT_SECRET is not set. Without it, the server does not accept JWTs.');
      const [username = ''] = args;
      const { seconds, audience } = options;
      const jwt = await signJwt(Buffer.from(JWT_SECRET, 'utf8'), { username, seconds, audience });
      result(jwt, { user: username, token: jwt, seconds });
      return exitCode.done;
    },
  );
}
