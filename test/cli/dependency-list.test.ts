import { expect, test } from '@jest/globals';
import { installedDependencies, withDependencyList } from '../../src/cli/dependency-list.ts';
import { read, root } from '../house/tree.ts';

const installed = installedDependencies(root);

test('docs/architecture.md lists each runtime dependency with its reason, as it is printed', () => {
  const page = read('docs/architecture.md');
  const withoutSizes = (text: string): string =>
    text.replace(/ \([\d.]+\): /g, ': ').replace(/of [\d.]+ MB/, 'of MB');
  expect(withoutSizes(withDependencyList(page, installed))).toBe(withoutSizes(page));
});

test('an installed server brings at most 320 packages of 250 MB', () => {
  expect(installed.packages).toBeGreaterThan(200);
  expect(installed.packages).toBeLessThanOrEqual(320);
  expect(installed.megabytes).toBeGreaterThan(100);
  expect(installed.megabytes).toBeLessThanOrEqual(250);
});
