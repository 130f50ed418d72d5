import type { Command } from 'commander';

export function serveCommand(command: Command): void {
  command
    .addHelpText('after', '\nSIGTERM and Ctrl+C end it in order; a second signal at once.')
    .action(async () => {
      await import('../../server.ts');
    });
}
