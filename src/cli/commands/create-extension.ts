import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Conflict, Invalid } from '../../errors.ts';
import { exitCode } from '../exit-codes.ts';
import { runs } from '../run-command.ts';
import type { QuireCommand } from '../surroundings.ts';

/** The files of a new extension, by path. */
function filesOf(name: string, version: string, quire: string): Readonly<Record<string, string>> {
  const manifest = {
    name: `quire-extension-${name}`,
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    files: ['index.js', 'model'],
    scripts: { test: 'node --test' },
    peerDependencies: { 'quire-server': `^${version}` },
    devDependencies: { 'quire-server': quire },
  };
  const prefix = name.replace(/\W/g, '');
  const type = prefix.charAt(0).toUpperCase() + prefix.slice(1);
  const model = {
    schemas: [{ name: prefix, prefix, fields: { code: 'string', checked: 'boolean' } }],
    types: [{ name: type, parent: 'File', schemas: [prefix] }],
  };
  return {
    'package.json': JSON.stringify(manifest, null, 2),
    'model/model.json': JSON.stringify(model, null, 2),
    '.gitignore': 'node_modules/\ndata/',
    'index.js': `// @ts-check
import { defineExtension, Refusal } from 'quire-server/extension';

export default defineExtension({
  name: '${name}',
  version: '1.0.0',
  quire: '^${version}',

  // The type ${type} with its schema.
  model: new URL('./model/', import.meta.url),

  // Requested with the header "enrichers.document: ${prefix}Length".
  enrichers: [
    {
      name: '${prefix}Length',
      description: 'The length of the title.',
      values: async (documents) => documents.map(({ title }) => title.length),
    },
  ],

  // Runs in the transaction of a write: it can refuse it, and set further properties.
  before: [
    {
      types: ['${type}'],
      run: async ({ document }) => {
        const code = document.properties['${prefix}:code'];
        if (code !== undefined && !/^[A-Z]+-\\d+$/.test(String(code)))
          throw new Refusal('The code must look like AB-12.', { xpath: '${prefix}:code' });
        return { '${prefix}:checked': code !== undefined };
      },
    },
  ],

  // Called with "POST /api/v1/ext/${name}/codes/ID", or as the operation ${type}.SetCode.
  operations: [
    {
      id: '${type}.SetCode',
      label: 'Set code',
      description: 'Sets the code of the input document, and returns the document.',
      kind: 'mutation',
      input: 'document',
      output: 'document',
      permission: 'WriteProperties',
      parameters: { code: { type: 'string', description: 'The new code.', required: true } },
      resource: 'POST /codes/:id',
      run: async ({ graphql }, document, { code }) => {
        await graphql(
          \`mutation ($id: ID!, $properties: JSON!) {
            updateDocument(id: $id, document: { properties: $properties }) { uid }
          }\`,
          { id: document.id, properties: { '${prefix}:code': code } },
        );
        return document.id;
      },
    },
  ],
});
`,
    'index.test.js': `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from 'quire-server/testing';

let server;
before(async () => {
  server = await startServer([fileURLToPath(new URL('./index.js', import.meta.url))]);
});
after(() => server?.stop());

const create = (properties) =>
  server.api('/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', type: '${type}', name: 'first', properties },
    headers: { properties: '*', 'enrichers.document': '${prefix}Length' },
  });

test('a document with a valid code is marked as checked', async () => {
  const { status, body } = await create({ 'dc:title': 'First', '${prefix}:code': 'AB-12' });
  assert.equal(status, 201);
  assert.equal(body.properties['${prefix}:checked'], true);
  assert.equal(body.contextParameters.${prefix}Length, 5);
});

test('a document with another code is refused', async () => {
  const { status, body } = await create({ 'dc:title': 'Second', '${prefix}:code': 'no code' });
  assert.equal(status, 422);
  assert.match(body.message, /must look like AB-12/);
});

test('the operation sets a code, which the listener checks', async () => {
  const { uid } = (await create({ 'dc:title': 'Third' })).body;
  const setCode = (code) =>
    server.api(\`/ext/${name}/codes/\${uid}\`, { json: { code }, headers: { properties: '${prefix}' } });
  assert.equal((await setCode('none')).status, 422);
  assert.equal((await setCode('CD-34')).body.properties['${prefix}:code'], 'CD-34');
});
`,
    'README.md': `# ${name}

An extension of Quire. \`npm install && npm test\` starts a server with it and tests it.
To use it, install it next to \`quire-server\` and set \`EXTENSIONS=quire-extension-${name}\`.
`,
  };
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Conflict(`${folder} exists. Choose another name or folder.`);
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text.endsWith('\n') ? text : `${text}\n`);
  }
}

/**
 * Returns a package as npm expects it in the new folder: the path of a file or folder becomes absolute.
 * @throws Invalid if the file or folder does not exist
 */
async function packageAt(given: string): Promise<string> {
  if (!/^\.{0,2}[/\\]|^[A-Za-z]:[/\\]|\.tgz$/.test(given)) return given;
  const path = resolve(given);
  await access(path).catch(() => {
    throw new Invalid(`--quire: ${path} does not exist.`);
  });
  return path;
}

export function createExtensionCommand(command: QuireCommand): void {
  command
    .argument('<name>', 'the name: lower-case letters, digits and "-"')
    .option('--quire <package>', 'the version, folder or tarball of quire-server to test with');
  runs<{ quire?: string }>(command, async ({ result }, { args, options }) => {
    const [name = ''] = args;
    if (!/^[a-z][a-z\d-]{0,49}$/.test(name))
      throw new Invalid(
        `"${name}" is not a valid extension name: it must consist of lower-case letters, digits and "-".`,
      );
    const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const range = version.split('.').slice(0, 2).join('.');
    const folder = resolve(name);
    const quire = options.quire === undefined ? `^${version}` : await packageAt(options.quire);
    await write(folder, filesOf(name, range, quire));
    result(`The extension is in ${folder}. Run: cd ${name} && npm install && npm test`, { folder });
    return exitCode.done;
  });
}
