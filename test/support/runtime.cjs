const { pathToFileURL } = require('node:url');
const { SyntheticModule, compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const namespaces = new Map(); // of libraries, by path

/** Loads a library as Node does: once for all test files of a worker. */
async function load(path, isModule) {
  const namespace = await import(pathToFileURL(path).href);
  const loaded = isModule ? namespace : { ...namespace.default, ...namespace };
  namespaces.set(path, loaded);
  return loaded;
}

/** What exports the same as a library, in the graph of a test file's modules. */
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

/**
 * A runtime of Jest that gives each test file its own instances of this project's modules alone. Libraries, whose
 * loading was most of what a file cost, are shared, and so are the globals.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { esmLoader, executor } = this;
    const modules = new Map();
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.getContext = () => undefined;
    esmLoader.resolution.canResolveSync = () => false; // else newer releases of Node pass `resolveModule` by
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (/^(@jest\/|node:|data:|file:|[./])/.test(specifier)) return resolveModule(specifier, from, context);
      const path = await esmLoader.resolution.resolveEsmAsync(from, specifier);
      if (!path.includes('/node_modules/') || path.endsWith('.json')) {
        return resolveModule(specifier, from, context);
      }
      if (!modules.has(path)) modules.set(path, moduleOf(path, esmLoader.shouldLoadAsEsm(path)));
      return modules.get(path);
    };
    executor.compile = (code, filename) =>
      compileFunction(code, executor.injectedModuleParameters, { filename });
  }
};
