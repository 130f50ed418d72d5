#!/usr/bin/env -S node --max-semi-space-size=64
import { existsSync } from 'node:fs';

// The compiled sources are part of a release, and of a clone after its first build.
const program = new URL('../dist/cli/quire.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('Quire is not built yet. Run: npm ci && npm run build\n');
  process.exitCode = 1;
}
