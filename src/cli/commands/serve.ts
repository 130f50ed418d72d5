import type { QuireCommand } from '../surroundings.ts';

export function serveCommand(command: QuireCommand): void {
  command
    .addHelpText(
      'after',
      '\nSIGTERM and Ctrl+C stop the server gracefully; a second signal stops it immediately.',
    )
    .action(async () => {
      await import('../../serve.ts');
    });
}
