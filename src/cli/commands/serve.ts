import type { QuireCommand } from '../surroundings.ts';

export function serveCommand(command: QuireCommand): void {
  command
    .addHelpText('after', '\nSIGTERM and Ctrl+C end it in order; a second signal at once.')
    .action(async () => {
      await import('../../serve.ts');
    });
}
