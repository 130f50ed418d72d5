import { runCommandLine } from './command-line.ts';

await runCommandLine(process.argv.slice(2), process);
if (process.exitCode !== undefined) process.exit(); // `serve` does not set an exit code, because it continues to run.
