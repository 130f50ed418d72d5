import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stockModel } from '../model/contributed/contributed.ts';
import { createModel } from '../model/create-model.ts';
import { printedOpenApi } from '../openapi/description.ts';
import { contributedNames } from '../rest/contributed-names.ts';
import { schema } from '../schema/index.ts';
import { printedSchema } from '../schema/print.ts';
import { bundledPackages } from './bundled-packages.ts';
import { operationsFile, printedOperations } from './console-operations.ts';
import { dependencyPage, installedDependencies, shippedPackages } from './dependency-list.ts';

/**
 * Returns the URL of a file in the root folder. The relative path works both from src/cli and from dist/cli.
 */
const file = (name: string): URL => new URL(`../../${name}`, import.meta.url);

await writeFile(file('schema.graphql'), printedSchema());
const contributed = contributedNames(createModel(stockModel));
await writeFile(file('openapi.json'), printedOpenApi({ schema, contributed }));
await writeFile(operationsFile, await printedOperations());

const root = fileURLToPath(file('.'));
const shipped = shippedPackages(root, await bundledPackages(root));
await writeFile(file('DEPENDENCIES.md'), dependencyPage(installedDependencies(root), shipped));
