import { Command, InvalidArgumentError } from 'commander';
import { signJwt } from '../auth/jwt.ts';
import { ConfigError, readConfig } from '../config.ts';
import { runCommand } from './run-command.ts';

const positive = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0.');
  return Number(text);
};

async function main(): Promise<number> {
  const command = new Command('npm run token --')
    .description('Prints a JWT for a user, signed with JWT_SECRET: `Authorization: Bearer <JWT>`.')
    .argument('<user>', 'the user name')
    .option('--seconds <number>', 'lifetime of the token', positive, 3600)
    .option('--audience <path>', 'limits the token to this path, such as api/v1, and to paths below it')
    .parse();
  const { JWT_SECRET } = readConfig();
  if (!JWT_SECRET) throw new ConfigError('JWT_SECRET: is not set, and the server takes no JWT without it');
  const { seconds, audience } = command.opts<{ seconds: number; audience?: string }>();
  const [username = ''] = command.args;
  console.log(await signJwt(Buffer.from(JWT_SECRET, 'utf8'), { username, seconds, audience }));
  return 0;
}

runCommand(main);
