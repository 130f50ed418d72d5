import { Command, InvalidArgumentError } from 'commander';
import { signJwt } from '../auth/jwt.ts';
import { ConfigError, readConfig } from '../config.ts';

const positive = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number above 0.');
  return Number(text);
};

/** Prints a JWT for a user, signed with JWT_SECRET; whether there is such a user, the server finds out. */
async function main(): Promise<void> {
  const command = new Command('npm run token --')
    .description('Prints a JWT for a user, signed with JWT_SECRET: `Authorization: Bearer <JWT>`.')
    .argument('<user>', 'the user name')
    .option('--seconds <number>', 'how long it counts', positive, 3600)
    .option('--audience <path>', 'the path at or below which it counts, api/v1 say; everywhere when absent')
    .parse();
  const { JWT_SECRET } = readConfig();
  if (!JWT_SECRET) throw new ConfigError('JWT_SECRET: is not set, and the server takes no JWT without it');
  const { seconds, audience } = command.opts<{ seconds: number; audience?: string }>();
  const [username = ''] = command.args;
  console.log(await signJwt(Buffer.from(JWT_SECRET, 'utf8'), { username, seconds, audience }));
}

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
});
