import type { SchemaDefinition } from '../definitions.ts';
import { coreSchemas } from './core.ts';
import { directorySchemas } from './directory.ts';
import { mediaSchemas } from './media.ts';
import { searchSchemas } from './search.ts';
import { socialSchemas } from './social.ts';
import { spaceSchemas } from './spaces.ts';
import { workflowSchemas } from './workflow.ts';

export const stockSchemas: readonly SchemaDefinition[] = [
  ...coreSchemas,
  ...spaceSchemas,
  ...mediaSchemas,
  ...socialSchemas,
  ...workflowSchemas,
  ...searchSchemas,
  ...directorySchemas,
];
