const { ModuleMocker } = require('jest-mock');

const timeout = Symbol.for('TEST_TIMEOUT_SYMBOL');

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
