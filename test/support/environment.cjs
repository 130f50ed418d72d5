const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

/**
 * Descriptions of the symbols under which Jest stores state of a test file among the globals. They hold the time
 * limit, and through event handlers all modules of the file, so they must be deleted before the next file.
 */
const fileStates = new Set(['TEST_TIMEOUT_SYMBOL', 'EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/**
 * All storages that have run. Node 20 copies the store of a storage to each new promise until the storage is
 * disabled.
 */
const storages = new Set();
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...parameters) {
    storages.add(this);
    return original.apply(this, parameters);
  };
}

/** A Jest environment that uses the globals of the process, so that shared libraries see the same classes as tests. */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = globalThis.console;
  #exit = process.exit;

  constructor() {
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (fileStates.has(symbol.description)) delete globalThis[symbol]; // of the previous file
  }
  async setup() {}
  async teardown() {
    for (const storage of storages) storage.disable(); // they belong to modules that the next file does not use
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
