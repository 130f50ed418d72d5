const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

/**
 * The descriptions of the symbols under which Jest stores the state of a test file in the globals. The state
 * contains the time limit and, through event handlers, refers to all modules of the file, so it must be deleted
 * before the next file.
 */
const fileStates = new Set(['TEST_TIMEOUT_SYMBOL', 'EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/**
 * All AsyncLocalStorages that have been used. Until they are disabled, Node 20 copies their stores to each new
 * promise.
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
      if (fileStates.has(symbol.description)) delete globalThis[symbol]; // The state of the previous test file.
  }
  async setup() {}
  async teardown() {
    for (const storage of storages) storage.disable(); // The storages belong to modules that the next test file does not use.
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
