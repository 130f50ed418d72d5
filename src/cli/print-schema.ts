import { writeFile } from 'node:fs/promises';
import { printedSchema } from '../schema/print.ts';

/** Beside package.json, from src/cli and dist/cli alike. */
const file = new URL('../../schema.graphql', import.meta.url);

await writeFile(file, printedSchema());
