const { AsyncLocalStorage } = require('node:async_hooks');
const { ModuleMocker } = require('jest-mock');

/** What Jest keeps of a file among its globals: the time limit, and all its modules by the handlers of events. */
const kept = new Set(['TEST_TIMEOUT_SYMBOL', 'EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

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
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (kept.has(symbol.description)) delete globalThis[symbol]; // of the file before
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
