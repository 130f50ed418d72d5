/**
 * Lets test files share libraries and the server. If each file had modules of its own, as Jest loads them, the suite
 * would take 2.5 times as much CPU time. This file and environment.cjs contain everything that depends on the internals
 * of Jest:
 *
 * - The setting `runtime` names a subclass of `jest-runtime`, whose constructor gets the path of the test file as its
 *   seventh argument.
 * - `esmLoader.resolveModule` returns a module of `node:vm` for each import of a test file, `esmLoader.resolution` finds
 *   its path, and `shouldLoadAsEsm` tells whether it is an ES module. `canResolveSync` is disabled, because with it newer
 *   releases of Node would link modules without calling `resolveModule`.
 * - `esmLoader.getContext` and `executor.compile` determine the context in which modules are compiled: here, that of the
 *   process.
 * - Jest stores the state of a test file among the globals, under symbols with the descriptions in environment.cjs.
 *
 * runtime.test.ts and own-modules.test.ts fail if test files share less or more than this.
 */
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const { SyntheticModule, compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { groupsOf } = require('./group.cjs');

const root = join(__dirname, '../..');
const source = join(root, 'src') + sep;
const namespaces = new Map(); // by path

/**
 * Returns the file that Node loads for a module. For modules in src/, this is the compiled file that
 * global-setup.ts has built.
 */
const compiledFile = (path) =>
  path.startsWith(source) ? join(root, 'dist', path.slice(source.length).replace(/\.ts$/, '.js')) : path;

/** Loads a module with Node's own loader, once for all test files of a worker. */
async function load(path, isModule) {
  const namespace = await import(pathToFileURL(compiledFile(path)).href);
  const loaded = isModule ? namespace : { ...namespace.default, ...namespace };
  namespaces.set(path, loaded);
  return loaded;
}

/** Returns a module with the exports of a shared module. It can be linked with the modules of a test file. */
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

/**
 * Returns whether a test file changes the state of the server's modules, such as the list of operations, so that it
 * needs its own instances.
 */
const ownsModules = (testPath) => groupsOf(testPath).includes('own-modules');

/**
 * A Jest runtime in which each test file has its own instances only of the modules in test/. Libraries, the server
 * and the globals are shared, because loading them took most of the time of a file. Sharing them is safe, because
 * the server's modules contain no state of an application. A file with "@group own-modules" also has its own
 * instances of the server's modules.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { esmLoader, executor } = this;
    const sharesSource = !ownsModules(parameters[6]);
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
