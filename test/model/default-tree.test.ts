import { expect, test } from '@jest/globals';
import { type DefaultDocument, defaultTree } from '../../src/model/default-tree.ts';
import { types } from '../../src/model/types.ts';

function rows(document: DefaultDocument, path: string): Array<[path: string, type: string, title: string]> {
  const here = path === '/' ? path : path.slice(0, -1);
  const below = (document.children ?? []).flatMap((child) => rows(child, `${path}${child.name}/`));
  return [[here, document.type, document.title ?? ''], ...below];
}

test('a repository starts with a domain and its three roots', () => {
  expect(rows(defaultTree('root'), '/')).toEqual([
    ['/', 'Root', ''],
    ['/default-domain', 'Domain', 'Domain'],
    ['/default-domain/workspaces', 'WorkspaceRoot', 'Workspaces'],
    ['/default-domain/sections', 'SectionRoot', 'Sections'],
    ['/default-domain/templates', 'TemplateRoot', 'Templates'],
  ]);
});

test('its documents are of stock types', () => {
  const names = types.map(({ name }) => name);
  for (const [, type] of rows(defaultTree('root'), '/')) expect(names).toContain(type);
});
