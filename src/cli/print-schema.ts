import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stockModel } from '../model/contributed/contributed.ts';
import { createModel } from '../model/create-model.ts';
import { printedOpenApi } from '../openapi/description.ts';
import { contributedNames } from '../rest/contributed-names.ts';
import { schema } from '../schema/index.ts';
import { printedSchema } from '../schema/print.ts';
import { operationsFile, printedOperations } from './console-operations.ts';
import { installedDependencies, withDependencyList } from './dependency-list.ts';

/**
 * Returns the URL of a file in the root folder. The relative path works both from src/cli and from dist/cli.
 */
const file = (name: string): URL => new URL(`../../${name}`, import.meta.url);

await writeFile(file('schema.graphql'), printedSchema());
const contributed = contributedNames(createModel(stockModel));
await writeFile(file('openapi.json'), printedOpenApi({ schema, contributed }));
await writeFile(operationsFile, await printedOperations());

const architecture = file('docs/architecture.md');
const installed = installedDependencies(fileURLToPath(file('.')));
await writeFile(architecture, withDependencyList(await readFile(architecture, 'utf8'), installed));
