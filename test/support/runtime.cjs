/**
 * Everything that depends on how Jest works inside, with environment.cjs, so that test files share libraries and the server: with
 * modules of its own for each file, as Jest loads them, the suite takes 2.5 times as much CPU time. We rely on this:
 *
 * - The setting `runtime` names a subclass of `jest-runtime`, whose constructor gets the path of the test file as its seventh
 *   argument.
 * - `esmLoader.resolveModule` answers each import of a test file with a module of `node:vm`, `esmLoader.resolution` finds its path, and
 *   `shouldLoadAsEsm` says whether it is CommonJS. `canResolveSync` would let newer releases of Node link modules without asking.
 * - Modules are compiled in the context of `esmLoader.getContext` and by `executor.compile`: here in that of the process.
 * - Jest keeps its state of a test file among the globals, by symbols with the descriptions of environment.cjs.
 *
 * runtime.test.ts and own-modules.test.ts fail when test files share less, or more, than this.
 */
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const { SyntheticModule, compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { groupsOf } = require('./group.cjs');

const root = join(__dirname, '../..');
const source = join(root, 'src') + sep;
const namespaces = new Map(); // by path

/** The file that Node loads: of this project's modules the compiled one, which global-setup.ts has made. */
const compiledFile = (path) =>
  path.startsWith(source) ? join(root, 'dist', path.slice(source.length).replace(/\.ts$/, '.js')) : path;

/** Loads a module as Node does: once for all test files of a worker. */
async function load(path, isModule) {
  const namespace = await import(pathToFileURL(compiledFile(path)).href);
  const loaded = isModule ? namespace : { ...namespace.default, ...namespace };
  namespaces.set(path, loaded);
  return loaded;
}

/** What exports the same as a shared module, in the graph of a test file's modules. */
async function moduleOf(path, isModule) {
  const namespace = namespaces.get(path) ?? (await load(path, isModule));
  const names = [...new Set([...Object.keys(namespace), 'default'])];
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, namespace[name]);
    },
    { identifier: path },
  );
  await module.link(() => {});
  await module.evaluate();
  return module;
}

const isLibrary = (path) => path.includes('/node_modules/') && !path.endsWith('.json');

const isSource = (path) => path.startsWith(source) && path.endsWith('.ts');

/** Whether a test file changes what the server's modules hold, such as the list of operations. */
const ownsModules = (testPath) => groupsOf(testPath).includes('own-modules');

/**
 * A runtime of Jest that gives each test file its own instances of the modules below test/ alone. Libraries and the
 * server, whose loading was most of what a file cost, are shared, and so are the globals: a process may hold several
 * applications, so modules keep nothing of one. A file tagged "@group own-modules" has those of the server to itself.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { esmLoader, executor } = this;
    const sharesSource = !ownsModules(given[6]);
    const isShared = (path) => isLibrary(path) || (sharesSource && isSource(path));
    const modules = new Map();
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.getContext = () => undefined;
    esmLoader.resolution.canResolveSync = () => false;
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (/^(@jest\/|node:|data:|file:)/.test(specifier)) return resolveModule(specifier, from, context);
      const path = await esmLoader.resolution.resolveEsmAsync(from, specifier);
      if (!isShared(path)) return resolveModule(specifier, from, context);
      if (!modules.has(path)) modules.set(path, moduleOf(path, esmLoader.shouldLoadAsEsm(path)));
      return modules.get(path);
    };
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, { filename });
  }
};
