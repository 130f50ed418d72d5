import { writeFile } from 'node:fs/promises';
import { stockModel } from '../model/contributed.ts';
import { createModel } from '../model/create-model.ts';
import { contributedNames } from '../rest/contributed.ts';
import { printedDescription } from '../rest/openapi/print.ts';
import { schema } from '../schema/index.ts';
import { printedSchema } from '../schema/print.ts';

/** Beside package.json, from src/cli and dist/cli alike. */
const file = (name: string): URL => new URL(`../../${name}`, import.meta.url);

await writeFile(file('schema.graphql'), printedSchema());
const contributed = contributedNames(createModel(stockModel));
await writeFile(file('openapi.json'), printedDescription({ schema, contributed }));
