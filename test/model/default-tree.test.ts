import { expect, test } from '@jest/globals';
import { type DefaultDocument, defaultTree } from '../../src/model/default-tree.ts';
import { stockTypes } from '../../src/model/types.ts';

function rows(document: DefaultDocument, path: string): Array<[path: string, type: string, title: string]> {
  const here = path === '/' ? path : path.slice(0, -1);
  const below = (document.children ?? []).flatMap((child) => rows(child, `${path}${child.name}/`));
  return [[here, document.type, document.title ?? ''], ...below];
}

test('the default tree has a domain with three roots', () => {
  expect(rows(defaultTree('root'), '/')).toEqual([
    ['/', 'Root', ''],
    ['/default-domain', 'Domain', 'Domain'],
    ['/default-domain/workspaces', 'WorkspaceRoot', 'Workspaces'],
    ['/default-domain/sections', 'SectionRoot', 'Sections'],
    ['/default-domain/templates', 'TemplateRoot', 'Templates'],
  ]);
});

test('the documents of the default tree are of stock types', () => {
  const names = stockTypes.map(({ name }) => name);
  for (const [, type] of rows(defaultTree('root'), '/')) expect(names).toContain(type);
});
