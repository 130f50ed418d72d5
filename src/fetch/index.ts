import { acls } from './acls.ts';
import { aggregate } from './aggregate.ts';
import { document } from './document.ts';
import { group } from './group.ts';
import { task } from './task.ts';
import { workflow } from './workflow.ts';

/** §10: what each fetch property adds to what is asked of an entity, by entity type in lower case. */
export const fetchable = { acls, aggregate, document, group, task, workflow } as const;
