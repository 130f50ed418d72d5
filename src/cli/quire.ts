import { runCommandLine } from './command-line.ts';

await runCommandLine(process.argv.slice(2), process);
if (process.exitCode !== undefined) process.exit(); // `serve` sets no exit code and continues to run
