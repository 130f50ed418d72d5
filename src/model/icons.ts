import { fileURLToPath } from 'node:url';
import { fieldOf } from './values/stored.ts';

/**
 * The folder of the built-in icons. Compiled code also uses the folder in `src`, because the compiler does not copy SVG
 * files.
 */
export const iconsFolder = fileURLToPath(new URL('../../src/model/data/icons/', import.meta.url));

const names: Readonly<Record<string, string>> = {
  Folder: 'folder',
  OrderedFolder: 'ordered-folder',
  Root: 'root',
  Domain: 'domain',
  WorkspaceRoot: 'workspaces',
  Workspace: 'workspace',
  TemplateRoot: 'templates',
  SectionRoot: 'sections',
  Section: 'section',
  File: 'file',
  Note: 'note',
  Picture: 'picture',
  Video: 'video',
  Audio: 'audio',
  Collection: 'collection',
  Collections: 'collections',
  Favorites: 'favorites',
  CommentRoot: 'comments',
  Comment: 'comment',
  Annotation: 'annotation',
  TaskRoot: 'task',
  TaskDoc: 'task',
  RoutingTask: 'task',
  DocumentRoute: 'workflow',
  RouteNode: 'workflow-step',
  DocumentRouteModelsRoot: 'workflow',
  DocumentRouteInstancesRoot: 'workflow',
  UserWorkspacesRoot: 'workspaces',
  UserProfile: 'user',
  HiddenFolder: 'hidden-folder',
  SavedSearch: 'search',
  DefaultSearch: 'search',
};

/**
 * Returns the value of `common:icon` in new documents of a built-in type: a path relative to the application
 * context.
 */
export function stockIcon(type: string): string | undefined {
  const name = fieldOf(names, type);
  return name === undefined ? undefined : `/icons/${name}.svg`;
}
