import { fileURLToPath } from 'node:url';
import { fieldOf } from './values/stored.ts';

/** Reads from `src` in a build too: the compiler does not copy SVG files. */
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

/** What `common:icon` is in a new document of a stock type: an address below the application context. */
export function stockIcon(type: string): string | undefined {
  const name = fieldOf(names, type);
  return name === undefined ? undefined : `/icons/${name}.svg`;
}
