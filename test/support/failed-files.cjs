const { writeFileSync } = require('node:fs');

const { FAILED_FILES: list } = process.env;

/** A Jest reporter that writes the paths of failed test files, one per line, to the file FAILED_FILES. */
module.exports = class FailedFiles {
  onRunComplete(_, { testResults }) {
    const failed = testResults.filter(
      ({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError,
    );
    if (list) writeFileSync(list, failed.map(({ testFilePath }) => `${testFilePath}\n`).join(''));
  }
};
