const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Storages that have run; until one is disabled, Node 20 copies its store to each promise that is made. */
const storages = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...given) {
    storages.add(this);
    return original.apply(this, given);
  };
}

/** An environment of Jest whose globals are those of the process, so that objects of shared libraries are alike. */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = globalThis.console;
  #exit = process.exit;

  constructor() {
    delete globalThis[timeout]; // of the file before
  }
  async setup() {}
  async teardown() {
    for (const storage of storages) storage.disable(); // of modules that the next file does not share
    storages.clear();
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }
  exportConditions() {
    return ['node', 'node-addons'];
  }
  getVmContext() {
    return globalThis;
  }
};
