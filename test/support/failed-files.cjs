const { writeFileSync } = require('node:fs');

const { FAILED_FILES: list } = process.env;

/** A reporter of Jest: writes the paths of the test files that failed, a line each, where FAILED_FILES says. */
module.exports = class FailedFiles {
  onRunComplete(_, { testResults }) {
    const failed = testResults.filter(
      ({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError,
    );
    if (list) writeFileSync(list, failed.map(({ testFilePath }) => `${testFilePath}\n`).join(''));
  }
};
