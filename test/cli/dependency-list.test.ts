import { expect, test } from '@jest/globals';
import { bundledPackages } from '../../src/cli/bundled-packages.ts';
import { dependencyPage, installedDependencies, shippedPackages } from '../../src/cli/dependency-list.ts';
import { read, root } from '../house/tree.ts';

const installed = installedDependencies(root);

const shipped = shippedPackages(root, await bundledPackages(root));

test('DEPENDENCIES.md lists each runtime dependency with its reason, and each license, as it is printed', () => {
  const withoutSizes = (text: string): string =>
    text.replace(/ \([\d.]+\): /g, ': ').replace(/of [\d.]+ MB/, 'of MB');
  expect(withoutSizes(dependencyPage(installed, shipped))).toBe(withoutSizes(read('DEPENDENCIES.md')));
});

/**
 * The licenses of code that can be shipped with a product under the Apache License. The LGPL applies to libraries that
 * are files of their own, which users can replace: libvips and libheif.
 */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Zlib',
]);

/** Whether an SPDX expression contains only allowed licenses, or offers a choice with one. */
const isAllowed = (expression: string, also: readonly string[] = []): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.has(each) || also.includes(each)));

test('every package that is installed or part of the build has an allowed license', () => {
  const replaceable = (name: string): boolean => name.startsWith('@img/sharp-') || name === 'libheif-js';
  const refused = [
    ...shipped.installed.filter(
      ({ name, license }) => !isAllowed(license, replaceable(name) ? ['LGPL-3.0', 'LGPL-3.0-or-later'] : []),
    ),
    ...shipped.bundled.filter(({ license }) => !isAllowed(license)),
  ];
  expect(refused).toEqual([]);
  expect(shipped.installed.length).toBeGreaterThan(200);
  const bundled = shipped.bundled.map(({ name }) => name);
  expect(bundled).toEqual(
    expect.arrayContaining(['@prisma/client', 'mammoth', 'react', 'react-aria-components']),
  );
});

test.each([
  ['MIT', true],
  ['(MIT AND Zlib)', true],
  ['(GPL-3.0-or-later OR MIT)', true],
  ['MIT AND GPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  ['unknown', false],
])('the license %s is allowed: %s', (license, isRight) => expect(isAllowed(license)).toBe(isRight));

test('an installed server brings at most 320 packages of 250 MB', () => {
  expect(installed.packages).toBeGreaterThan(200);
  expect(installed.packages).toBeLessThanOrEqual(320);
  expect(installed.megabytes).toBeGreaterThan(100);
  expect(installed.megabytes).toBeLessThanOrEqual(250);
});
